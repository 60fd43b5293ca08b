import { Link } from '@tanstack/react-router'
import { IconAlertTriangle, IconPin, IconPinFilled, IconShieldQuestion } from '@tabler/icons-react'
import { ActionIcon } from '@mantine/core'
import type { Api } from '../../api/client.ts'
import { useCan } from '../../api/me.ts'
import { EffectTag } from '../../ui/status-tags.tsx'
import { Tag } from '../../ui/tag.tsx'
import { formatDuration } from '../../ui/time.tsx'
import { keptTools } from './kept-tools.ts'
import { describeFigures } from './describe-figures.ts'
import { Spark } from './spark.tsx'
import { ToolIcon } from './tool-icon.tsx'
import { ToolNeeds } from './tool-needs.tsx'
import styles from './tool-card.module.css'

interface ToolCardProps {
  tool: Api<'Tool'>
  usage?: Api<'ToolUsage'> | undefined
  isPinned: boolean
  /** Its file fails to load, so the last working version is served. */
  isStale: boolean
}

/** One tool of the library: what it does, its effect, and its usage. */
export function ToolCard({ tool, usage, isPinned, isStale }: ToolCardProps) {
  const hasFigures = useCan('usage.read')
  const { name, title, description } = tool
  return (
    <article className={styles.card}>
      <div className={styles.head}>
        <ToolIcon icon={tool.icon} source={tool.source} />
        <div className={styles.names}>
          <h2 dir="auto">
            <Link to="/tools/$name" params={{ name }} className={styles.link}>
              {title}
            </Link>
          </h2>
          <code>{name}</code>
        </div>
        <div className={styles.tags}>
          {tool.asks && (
            <Tag tone="ask" title="Every call needs approval">
              <IconShieldQuestion size={13} stroke={1.6} aria-hidden="true" />
              asks
            </Tag>
          )}
          <EffectTag effect={tool.effect} />
        </div>
      </div>
      <p className={styles.description} dir="auto">
        {description}
      </p>
      <div className={styles.foot}>
        {tool.state !== 'ready' ? (
          <ToolNeeds tool={tool} />
        ) : isStale ? (
          <Stale />
        ) : (
          <Figures usage={usage} isKnown={hasFigures} />
        )}
        <ActionIcon
          size={28}
          className={styles.pin}
          data-pinned={isPinned || undefined}
          aria-label={isPinned ? `Unpin ${title}` : `Pin ${title}`}
          onClick={() => keptTools.togglePin({ name, title })}
        >
          {isPinned ? <IconPinFilled size={15} /> : <IconPin size={15} stroke={1.6} />}
        </ActionIcon>
      </div>
    </article>
  )
}

function Stale() {
  return (
    <span className={styles.stale} title="Its file fails to load">
      <IconAlertTriangle size={14} stroke={1.6} aria-hidden="true" />
      Serving the last working version
    </span>
  )
}

interface FiguresProps {
  usage: Api<'ToolUsage'> | undefined
  isKnown: boolean
}

function Figures({ usage, isKnown }: FiguresProps) {
  if (!isKnown) return <span className={styles.figures} />
  if (usage === undefined) return <span className={styles.figures}>No calls in 14 days</span>
  return (
    <>
      <span className={styles.figures}>{describeFigures(usage, formatDuration)}</span>
      <Spark days={usage.days} />
    </>
  )
}
