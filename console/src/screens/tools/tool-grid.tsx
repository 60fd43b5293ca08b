import { useMergedRef } from '@mantine/hooks'
import { useCallback, useEffect, useState } from 'react'
import type { Api } from '../../api/client.ts'
import { usePinnedTools } from './kept-tools.ts'
import { ToolCard } from './tool-card.tsx'
import { useToolFileProblems } from './tool-files.ts'
import { useRowsInSight, useTop } from './use-rows-in-sight.ts'
import styles from './tools.module.css'

interface ToolGridProps {
  tools: readonly Api<'Tool'>[]
  /** The total number, as far as it is known. */
  total: number
  usage: ReadonlyMap<string, Api<'ToolUsage'>>
  hasMore: boolean
  /** Called when the end scrolls into view. */
  onEnd: () => void
}

const cardHeight = 146
const gap = 16
const rowHeight = cardHeight + gap

/** Renders only the visible cards, so that a thousand tools cost as much as a dozen. */
export function ToolGrid({ tools, total, usage, hasMore, onEnd }: ToolGridProps) {
  const [width, sizeRef] = useWidth()
  const [top, measure] = useTop()
  const ref = useMergedRef(sizeRef, measure)
  const lanes = toLanes(width)
  const pinned = new Set(usePinnedTools().map(({ name }) => name))
  const stale = new Set(useToolFileProblems().flatMap((problem) => problem.tools))
  const { first, last } = useRowsInSight({ top, rowHeight, spare: 2 })
  const rows = Math.ceil(tools.length / lanes)
  const isNearEnd = hasMore && last >= rows - 2
  useEffect(() => {
    if (isNearEnd) onEnd()
  }, [isNearEnd, onEnd])
  const laneWidth = `((100% - ${(lanes - 1) * gap}px) / ${lanes})`
  return (
    <ul ref={ref} className={styles.grid} style={{ height: rows * rowHeight }}>
      {tools.slice(first * lanes, (last + 1) * lanes).map((tool, offset) => {
        const index = first * lanes + offset
        const lane = index % lanes
        return (
          <li
            key={tool.name}
            className={styles.cell}
            aria-setsize={total}
            aria-posinset={index + 1}
            style={{
              top: Math.floor(index / lanes) * rowHeight,
              left: `calc(${laneWidth} * ${lane} + ${lane * gap}px)`,
              width: `calc(${laneWidth})`,
              height: cardHeight,
            }}
          >
            <ToolCard
              tool={tool}
              usage={usage.get(tool.name)}
              isPinned={pinned.has(tool.name)}
              isStale={stale.has(tool.name)}
            />
          </li>
        )
      })}
    </ul>
  )
}

function toLanes(width: number): number {
  if (width >= 1200) return 3
  return width >= 640 ? 2 : 1
}

/** Known before the first render: cards that move a moment later get misread and misclicked. */
function useWidth(): [number, (element: HTMLUListElement | null) => (() => void) | undefined] {
  const [width, setWidth] = useState(0)
  const measure = useCallback((element: HTMLUListElement | null) => {
    if (element === null) return undefined
    setWidth(element.clientWidth)
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [width, measure]
}
