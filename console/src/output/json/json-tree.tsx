import { Suspense, useId, useMemo, useRef, useState } from 'react'
import type { KeyboardEvent, MouseEvent } from 'react'
import type { JsonValue } from '../../api/json.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { JsonLine } from './json-line.tsx'
import { firstChildren, openedLevels, parentOf, toRows } from './json-rows.ts'
import type { JsonRow } from './json-rows.ts'
import type { LinesHandle } from './long-lines.tsx'
import styles from './json-tree.module.css'

interface JsonTreeProps {
  value: JsonValue
  label: string
  /** Open so many levels at first; by itself as many as fit a screen. */
  openLevels?: number
}

/** Fewer lines than this are all in the page, so that the browser's search finds them. */
const drawnWhole = 150

// Most trees are small; what draws long ones comes with the first of them.
const LongLines = lazyPart(async () => (await import('./long-lines.tsx')).LongLines)

/**
 * Any JSON, to open and close, by pointer or by keyboard. Only what is in sight is in the page: a list of
 * a hundred thousand costs no more than one of ten. What is open stays open when the value is replaced.
 */
export function JsonTree({ value, label, openLevels }: JsonTreeProps) {
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [limits, setLimits] = useState<ReadonlyMap<string, number>>(new Map())
  const [levels] = useState(() => openLevels ?? openedLevels(value))
  const rows = useMemo(
    () => toRows(value, { toggled, limits }, levels),
    [value, toggled, limits, levels],
  )
  const [activeId, setActiveId] = useState('')
  const active = Math.max(
    0,
    rows.findIndex(({ id }) => id === activeId),
  )
  const scroller = useRef<HTMLDivElement>(null)
  const prefix = useId()
  const isWhole = rows.length <= drawnWhole
  const lines = useRef<LinesHandle>(null)

  function go(index: number): void {
    const row = rows[Math.min(Math.max(0, index), rows.length - 1)]
    if (row === undefined) return
    setActiveId(row.id)
    const at = rows.indexOf(row)
    if (isWhole) document.getElementById(`${prefix}${at}`)?.scrollIntoView({ block: 'nearest' })
    else lines.current?.show(at)
  }

  function toggle(row: JsonRow, isOpen = !row.isOpen): void {
    setActiveId(row.id)
    if (row.kind === 'more') {
      const parent = parentOf(row.id)
      setLimits(new Map(limits).set(parent, (limits.get(parent) ?? firstChildren) * 4))
    } else if (row.size > 0) setToggled(new Map(toggled).set(row.id, isOpen))
  }

  /** One listener for all lines; buttons within a line do their own thing. */
  function onClick(event: MouseEvent<HTMLElement>): void {
    const target = event.target instanceof Element ? event.target : undefined
    if (target === undefined || target.closest('button') !== null) return
    const id = target.closest<HTMLElement>('[data-row]')?.dataset['row']
    const row = rows.find((one) => one.id === id)
    if (row !== undefined && row.kind === 'open') toggle(row)
  }

  function onKeyDown(event: KeyboardEvent): void {
    const row = rows[active]
    if (
      row === undefined ||
      event.target instanceof HTMLButtonElement ||
      event.metaKey ||
      event.ctrlKey
    )
      return
    const isHandled = handleKey(event.key, { row, active, last: rows.length - 1, go, toggle, rows })
    if (isHandled) event.preventDefault()
  }

  const drawLine = (row: JsonRow, index: number) => (
    <JsonLine
      key={row.id}
      row={row}
      domId={`${prefix}${index}`}
      isActive={index === active}
      onMore={toggle}
    />
  )
  return (
    <div
      ref={scroller}
      className={styles.tree}
      role="tree"
      aria-label={label}
      aria-activedescendant={isWhole ? `${prefix}${active}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onClick={onClick}
    >
      {isWhole ? (
        rows.map(drawLine)
      ) : (
        <Suspense fallback={rows.slice(0, drawnWhole).map(drawLine)}>
          <LongLines
            ref={lines}
            rows={rows}
            active={active}
            prefix={prefix}
            scroller={scroller}
            drawLine={drawLine}
          />
        </Suspense>
      )}
    </div>
  )
}

interface KeyContext {
  row: JsonRow
  rows: readonly JsonRow[]
  active: number
  last: number
  go: (index: number) => void
  toggle: (row: JsonRow, isOpen?: boolean) => void
}

/** As every tree does: up and down, open with right, close and to the parent with left. */
function handleKey(key: string, { row, rows, active, last, go, toggle }: KeyContext): boolean {
  const moves: Record<string, number> = {
    ArrowDown: active + 1,
    ArrowUp: active - 1,
    Home: 0,
    End: last,
    PageDown: active + 20,
    PageUp: active - 20,
  }
  const target = Object.hasOwn(moves, key) ? moves[key] : undefined
  if (target !== undefined) go(target)
  else if (key === 'Enter' || key === ' ') toggle(row)
  else if (key === 'ArrowRight') {
    if (row.isOpen) go(active + 1)
    else toggle(row, true)
  } else if (key === 'ArrowLeft') {
    if (row.isOpen) toggle(row, false)
    else go(rows.findIndex(({ id }) => id === parentOf(row.id)))
  } else return false
  return true
}
