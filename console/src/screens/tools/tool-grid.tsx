import { useElementSize, useMergedRef } from '@mantine/hooks'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import type { Api } from '../../api/client.ts'
import { usePinnedTools } from './kept-tools.ts'
import { ToolCard } from './tool-card.tsx'
import styles from './tools.module.css'

interface ToolGridProps {
  tools: readonly Api<'Tool'>[]
  /** How many there are in all, as far as that is known. */
  total: number
  usage: ReadonlyMap<string, Api<'ToolUsage'>>
  hasMore: boolean
  /** Called when the end comes into sight. */
  onEnd: () => void
}

const cardHeight = 146
const gap = 16

/** The cards that are in sight; a thousand tools are as light as a dozen. */
export function ToolGrid({ tools, total, usage, hasMore, onEnd }: ToolGridProps) {
  const list = useRef<HTMLUListElement>(null)
  const { ref: sizeRef, width } = useElementSize<HTMLUListElement>()
  const ref = useMergedRef(list, sizeRef)
  const lanes = width >= 1200 ? 3 : width >= 640 ? 2 : 1
  const pinned = new Set(usePinnedTools().map(({ name }) => name))
  const virtual = useWindowVirtualizer({
    count: tools.length,
    lanes,
    estimateSize: () => cardHeight,
    gap,
    overscan: 6,
    // Cards are all of one height: nothing needs to be measured.
    getItemKey: (index) => tools[index]?.name ?? index,
    scrollMargin: list.current?.offsetTop ?? 0,
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  const isNearEnd = hasMore && last >= tools.length - lanes * 4
  useEffect(() => {
    if (isNearEnd) onEnd()
  }, [isNearEnd, onEnd])
  const laneWidth = `((100% - ${(lanes - 1) * gap}px) / ${lanes})`
  return (
    <ul ref={ref} className={styles.grid} style={{ height: virtual.getTotalSize() }}>
      {items.map(({ index, key, lane, start }) => {
        const tool = tools[index]
        if (tool === undefined) return null
        return (
          <li
            key={key}
            className={styles.cell}
            aria-setsize={total}
            aria-posinset={index + 1}
            style={{
              top: start - virtual.options.scrollMargin,
              left: `calc(${laneWidth} * ${lane} + ${lane * gap}px)`,
              width: `calc(${laneWidth})`,
              height: cardHeight,
            }}
          >
            <ToolCard tool={tool} usage={usage.get(tool.name)} isPinned={pinned.has(tool.name)} />
          </li>
        )
      })}
    </ul>
  )
}
