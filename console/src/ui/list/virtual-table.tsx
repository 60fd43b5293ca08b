import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useCallback, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import type { CSSProperties, KeyboardEvent, MouseEvent, ReactNode } from 'react'
import { movedRow } from './virtual-table-keys.ts'
import styles from './virtual-table.module.css'

/** A column: what stands above it, how wide it is, and what a row shows in it. */
export interface Column<Row> {
  key: string
  title: string
  /** A track of CSS grid, such as `120px` or `minmax(160px, 2fr)`. */
  width: string
  isNumeric?: boolean
  /** Left out where there is no room for it. */
  isExtra?: boolean
  render: (row: Row) => ReactNode
}

interface VirtualTableProps<Row> {
  /** What the table lists, for who does not see it. */
  label: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string
  /** There are further pages, and how to get the next. */
  hasMore?: boolean
  onMore?: () => void
  /** Said under the last row, such as "Loading more…". */
  foot?: ReactNode
  /** Enter or a click. With the modifier key: somewhere else, so that the list stays. */
  onOpen?: (row: Row, how: { isElsewhere: boolean }) => void
  /** The row that is open beside the list. */
  openKey?: string
  /** Whether the reader is at the top; what is new may then be put there. */
  onTop?: (isAtTop: boolean) => void
  /** Above the rows, over them: that something is new. */
  notice?: ReactNode
  rowHeight?: number
  /** Instead of the rest of the window. */
  height?: number
}

/** How many rows before the end the next page is asked for. */
const nearEnd = 30

/**
 * A long list of which only the rows on the screen are drawn. One tab stop: arrows, Page up and
 * down, Home and End move, Enter opens. Rows are told apart by key, so that new ones above move
 * nothing that is open or chosen.
 */
export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const { rows, columns, keyOf, rowHeight = 40, hasMore = false, foot } = props
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const [activeKey, setActiveKey] = useState<string>()
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  })
  const shown = virtual.getVirtualItems()
  const last = shown.at(-1)?.index ?? 0
  useAskForMore(props, last)
  useFillWindow(scroller, props.height)
  const activeIndex =
    activeKey === undefined ? -1 : rows.findIndex((row) => keyOf(row) === activeKey)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 400) / rowHeight) - 2)
    const active = rows[activeIndex]
    if (event.key === 'Enter' && active !== undefined) {
      event.preventDefault()
      props.onOpen?.(active, { isElsewhere: event.metaKey || event.ctrlKey })
      return
    }
    const next = movedRow(event.key, { index: activeIndex, count: rows.length, page })
    const row = next === undefined ? undefined : rows[next]
    if (next === undefined || row === undefined) return
    event.preventDefault()
    setActiveKey(keyOf(row))
    virtual.scrollToIndex(next)
  }
  const narrow = columns.filter(({ isExtra }) => isExtra !== true)
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })
  // The same function for as long as the table lives, so that no row is drawn anew for its sake.
  const press = useCallback((row: Row, how: { isElsewhere: boolean }) => {
    setActiveKey(latest.current.keyOf(row))
    latest.current.onOpen?.(row, how)
  }, [])
  const tracks = {
    '--tracks': columns.map(({ width }) => width).join(' '),
    '--tracks-narrow': narrow.map(({ width }) => width).join(' '),
  } as CSSProperties
  return (
    <div className={styles.frame} style={tracks}>
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
        <div
          className={styles.body}
          style={{ height: virtual.getTotalSize() }}
          role="rowgroup"
          aria-label={props.label}
        >
          {shown.map(({ index, start }) => {
            const row = rows[index]
            if (row === undefined) return null
            const rowKey = keyOf(row)
            return (
              <TableRow
                key={rowKey}
                id={`${id}-${rowKey}`}
                row={row}
                columns={columns}
                index={index}
                start={start}
                height={rowHeight}
                isOpen={rowKey === props.openKey}
                isActive={rowKey === activeKey}
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

/** Drawn once and moved about: scrolling draws only the rows that come into view. */
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
 * Who presses a button in a row, follows a link of it elsewhere, or has just marked text, does not
 * open the row. A link that the row may take over has prevented its own way.
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
    // Again for every page that came and was not enough.
    if (isNear && count >= 0) ask()
  }, [isNear, count])
}

/** The list takes what is left of the window below its top, so that the page itself stays where it is. */
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
    // What stands above may grow by a line: chips of filters, a notice.
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
