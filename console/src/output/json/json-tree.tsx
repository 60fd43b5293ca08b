import { Suspense, useId, useRef } from 'react'
import type { KeyboardEvent, MouseEvent } from 'react'
import type { JsonValue } from '../../api/json.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { JsonLine } from './json-line.tsx'
import { parentOf } from './json-rows.ts'
import type { JsonRow } from './json-rows.ts'
import type { LinesHandle } from './long-lines.tsx'
import { useJsonTree } from './use-json-tree.ts'
import styles from './json-tree.module.css'

interface JsonTreeProps {
  value: JsonValue
  label: string
  /** How many levels are open at first; by default as many as fit a screen. */
  openLevels?: number
}

/** Fewer lines than this are all in the page, so that the browser's search finds them. */
const drawnWhole = 150

// Most trees are small; the code for long ones is loaded with the first of them.
const LongLines = lazyPart(async () => (await import('./long-lines.tsx')).LongLines)

/**
 * Any JSON as a collapsible tree, for pointer and keyboard. Only visible lines are in the page: a list of
 * a hundred thousand costs no more than one of ten. Open nodes stay open when the value is replaced.
 */
export function JsonTree({ value, label, openLevels }: JsonTreeProps) {
  const { rows, active, setActiveId, toggle } = useJsonTree(value, openLevels)
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

  function onKeyDown(event: KeyboardEvent): void {
    const row = rows[active]
    const isOnButton = event.target instanceof HTMLButtonElement
    if (row === undefined || isOnButton || event.metaKey || event.ctrlKey) return
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
  const long = { rows, active, prefix, scroller, drawLine }
  return (
    <div
      ref={scroller}
      className={styles.tree}
      role="tree"
      aria-label={label}
      aria-activedescendant={isWhole ? `${prefix}${active}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onClick={(event) => {
        const row = clickedRow(event, rows)
        if (row?.kind === 'open') toggle(row)
      }}
    >
      {isWhole ? (
        rows.map(drawLine)
      ) : (
        <Suspense fallback={rows.slice(0, drawnWhole).map(drawLine)}>
          <LongLines ref={lines} {...long} />
        </Suspense>
      )}
    </div>
  )
}

/** One listener serves all lines; buttons inside a line handle their own clicks. */
function clickedRow(
  { target }: MouseEvent<HTMLElement>,
  rows: readonly JsonRow[],
): JsonRow | undefined {
  if (!(target instanceof Element) || target.closest('button') !== null) return undefined
  const id = target.closest<HTMLElement>('[data-row]')?.dataset['row']
  return rows.find((row) => row.id === id)
}

interface KeyContext {
  row: JsonRow
  rows: readonly JsonRow[]
  active: number
  last: number
  go: (index: number) => void
  toggle: (row: JsonRow, isOpen?: boolean) => void
}

/** The keys of the ARIA tree pattern. */
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
