import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useCallback, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import type { CSSProperties, KeyboardEvent, MouseEvent, ReactNode } from 'react'
import { movedRow } from './virtual-table-keys.ts'
import styles from './virtual-table.module.css'

/** A column: its title, width, and the cell of a row. */
export interface Column<Row> {
  key: string
  title: string
  /** A track of CSS grid, such as `120px` or `minmax(160px, 2fr)`. */
  width: string
  isNumeric?: boolean
  /** Hidden on narrow screens. */
  isExtra?: boolean
  render: (row: Row) => ReactNode
}

interface VirtualTableProps<Row> {
  /** Names the list for screen readers. */
  label: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string
  /** Whether there are more pages, and how to load the next. */
  hasMore?: boolean
  onMore?: () => void
  /** Shown below the last row, such as "Loading more…". */
  foot?: ReactNode
  /** Called on Enter or a click. With the modifier key the row opens in a new tab. */
  onOpen?: (row: Row, how: { isElsewhere: boolean }) => void
  /** The row that is open in the side panel. */
  openKey?: string
  /** Reports whether the list is scrolled to the top, where new rows can be added. */
  onTop?: (isAtTop: boolean) => void
  /** Laid over the first rows, such as "3 new calls". */
  notice?: ReactNode
  rowHeight?: number
  /** In pixels; by default the list fills the rest of the window. */
  height?: number
}

/** How many rows before the end the next page is loaded. */
const nearEnd = 30

/**
 * A long list that renders only the visible rows. It is one tab stop: arrows, Page Up, Page Down, Home
 * and End move, Enter opens. Rows are identified by key, so that new rows above do not move the open or
 * active one.
 */
export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const { rows, columns, keyOf, rowHeight = 40, hasMore = false, foot } = props
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  })
  const visible = virtual.getVirtualItems()
  useAskForMore(props, visible.at(-1)?.index ?? 0)
  useFillWindow(scroller, props.height)
  const { activeKey, activeIndex, onKeyDown, press } = useActiveRow(props, virtual.scrollToIndex)
  return (
    <div className={styles.frame} style={tracksOf(columns)}>
      {props.notice !== undefined && <div className={styles.notice}>{props.notice}</div>}
      <div
        ref={scroller}
        className={styles.scroller}
        style={props.height === undefined ? undefined : { height: props.height }}
        role="grid"
        tabIndex={0}
        aria-label={props.label}
        aria-rowcount={hasMore ? -1 : rows.length + 1}
        aria-activedescendant={activeIndex < 0 ? undefined : `${id}-${activeKey}`}
        onKeyDown={onKeyDown}
        onScroll={(event) => props.onTop?.(event.currentTarget.scrollTop < rowHeight)}
      >
        <HeadRow columns={columns} />
        <div
          className={styles.body}
          style={{ height: virtual.getTotalSize() }}
          role="rowgroup"
          aria-label={props.label}
        >
          {visible.map(({ index, start }) => {
            const row = rows[index]
            if (row === undefined) return null
            const key = keyOf(row)
            const isOpen = key === props.openKey
            const isActive = key === activeKey
            const place = { id: `${id}-${key}`, index, start, height: rowHeight }
            return (
              <TableRow
                key={key}
                {...{ ...place, row, columns, isOpen, isActive }}
                onPress={press}
              />
            )
          })}
        </div>
      </div>
      {foot !== undefined && <div className={styles.foot}>{foot}</div>}
    </div>
  )
}

/** The row that the keyboard is on. It is remembered by key, as its index changes when rows are added. */
function useActiveRow<Row>(props: VirtualTableProps<Row>, scrollTo: (index: number) => void) {
  const { rows, keyOf, rowHeight = 40 } = props
  const [activeKey, setActiveKey] = useState<string>()
  const activeIndex =
    activeKey === undefined ? -1 : rows.findIndex((row) => keyOf(row) === activeKey)
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })
  // The same function for the life of the table, so that rows do not render because of it.
  const press = useCallback((row: Row, how: { isElsewhere: boolean }) => {
    setActiveKey(latest.current.keyOf(row))
    latest.current.onOpen?.(row, how)
  }, [])
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { key, target, currentTarget } = event
    if (target !== currentTarget) return
    const active = rows[activeIndex]
    if (key === 'Enter' && active !== undefined) {
      event.preventDefault()
      props.onOpen?.(active, { isElsewhere: event.metaKey || event.ctrlKey })
      return
    }
    const page = Math.max(1, Math.floor(currentTarget.clientHeight / rowHeight) - 2)
    const next = movedRow(key, { index: activeIndex, count: rows.length, page })
    const row = next === undefined ? undefined : rows[next]
    if (next === undefined || row === undefined) return
    event.preventDefault()
    setActiveKey(keyOf(row))
    scrollTo(next)
  }
  return { activeKey, activeIndex, onKeyDown, press }
}

function tracksOf<Row>(columns: readonly Column<Row>[]): CSSProperties {
  const narrow = columns.filter(({ isExtra }) => isExtra !== true)
  return {
    '--tracks': columns.map(({ width }) => width).join(' '),
    '--tracks-narrow': narrow.map(({ width }) => width).join(' '),
  } as CSSProperties
}

function HeadRow<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  return (
    <div className={styles.head} role="row" aria-rowindex={1}>
      {columns.map((column) => (
        <span
          key={column.key}
          role="columnheader"
          className={styles.cell}
          data-numeric={column.isNumeric}
          data-extra={column.isExtra}
        >
          {column.title}
        </span>
      ))}
    </div>
  )
}

interface TableRowProps<Row> {
  id: string
  row: Row
  columns: readonly Column<Row>[]
  index: number
  start: number
  height: number
  isOpen: boolean
  isActive: boolean
  onPress: (row: Row, how: { isElsewhere: boolean }) => void
}

/** Memoized: scrolling renders only rows that come into view. */
const TableRow = memo(DrawnRow) as typeof DrawnRow

function DrawnRow<Row>(props: TableRowProps<Row>) {
  const { row, columns, index, start, height } = props
  return (
    <div
      id={props.id}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={props.isOpen}
      className={styles.row}
      data-active={props.isActive || undefined}
      style={{ height, transform: `translateY(${start}px)` }}
      onClick={(event) => {
        if (!isAboutText(event)) {
          props.onPress(row, { isElsewhere: event.metaKey || event.ctrlKey })
        }
      }}
    >
      {columns.map((column) => (
        <span
          key={column.key}
          role="gridcell"
          className={styles.cell}
          data-numeric={column.isNumeric}
          data-extra={column.isExtra}
        >
          {column.render(row)}
        </span>
      ))}
    </div>
  )
}

/**
 * A click on a button or link inside the row, or one that ends a text selection, does not open the row.
 * Links that leave the click to the row call `preventDefault`.
 */
function isAboutText(event: MouseEvent<HTMLElement>): boolean {
  const control = event.target instanceof HTMLElement ? event.target.closest('a, button') : null
  const isControl = control !== null && !event.defaultPrevented
  return isControl || (window.getSelection()?.toString() ?? '') !== ''
}

function useAskForMore<Row>(props: VirtualTableProps<Row>, last: number): void {
  const count = props.rows.length
  const isNear = props.hasMore === true && last >= count - nearEnd
  const ask = useEffectEvent(() => props.onMore?.())
  useEffect(() => {
    // Runs again for each page that was too short to fill the list.
    if (isNear && count >= 0) ask()
  }, [isNear, count])
}

/** The list fills the window below its top, so that the page itself does not scroll. */
function useFillWindow(
  scroller: React.RefObject<HTMLDivElement | null>,
  height: number | undefined,
): void {
  useEffect(() => {
    const element = scroller.current
    if (element === null || height !== undefined) return undefined
    const fit = () => {
      const top = element.getBoundingClientRect().top + window.scrollY
      element.style.setProperty('--top', `${Math.round(top)}px`)
    }
    fit()
    // Content above it can grow by a line: filter chips, a notice.
    const watch = new ResizeObserver(fit)
    watch.observe(document.body)
    if (element.parentElement?.parentElement) watch.observe(element.parentElement.parentElement)
    window.addEventListener('resize', fit)
    return () => {
      watch.disconnect()
      window.removeEventListener('resize', fit)
    }
  }, [scroller, height])
}
