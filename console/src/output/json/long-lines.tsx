import { useVirtualizer } from '@tanstack/react-virtual'
import { useImperativeHandle, useLayoutEffect } from 'react'
import type { ReactNode, Ref, RefObject } from 'react'
import type { JsonRow } from './json-rows.ts'
import styles from './json-tree.module.css'

/** Brings a line into sight. */
export interface LinesHandle {
  show(index: number): void
}

interface LongLinesProps {
  rows: readonly JsonRow[]
  active: number
  prefix: string
  scroller: RefObject<HTMLElement | null>
  drawLine: (row: JsonRow, index: number) => ReactNode
  ref: Ref<LinesHandle>
}

/** The lines of a tree with more of them than belong in a page: only those in sight are drawn. */
export function LongLines({ rows, active, prefix, scroller, drawLine, ref }: LongLinesProps) {
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 20,
    overscan: 12,
    getItemKey: (index) => rows[index]?.id ?? index,
  })
  useImperativeHandle(ref, () => ({
    show: (index) => virtual.scrollToIndex(index, { align: 'auto' }),
  }))
  const items = virtual.getVirtualItems()
  const isInSight = items.some(({ index }) => index === active)
  // Only this component knows the visible lines, and the tree must not refer to a line outside the page.
  useLayoutEffect(() => {
    const tree = scroller.current
    if (isInSight) tree?.setAttribute('aria-activedescendant', `${prefix}${active}`)
    return () => tree?.removeAttribute('aria-activedescendant')
  }, [isInSight, active, prefix, scroller])
  return (
    <div className={styles.space} style={{ height: virtual.getTotalSize() }} role="presentation">
      <div
        className={styles.lift}
        style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}
        role="presentation"
      >
        {items.map(({ index, key }) => {
          const row = rows[index]
          return row === undefined ? null : (
            <div key={key} data-index={index} ref={virtual.measureElement} role="presentation">
              {drawLine(row, index)}
            </div>
          )
        })}
      </div>
    </div>
  )
}
