import { Button } from '@mantine/core'
import { IconPin, IconPinFilled, IconShieldQuestion } from '@tabler/icons-react'
import { useState } from 'react'
import type { Api } from '../../api/client.ts'
import { CopyText } from '../../ui/copy.tsx'
import { EffectTag } from '../../ui/status-tags.tsx'
import { Tag } from '../../ui/tag.tsx'
import { ServerIcon } from './server-icon.tsx'
import { toBeginning } from './to-beginning.ts'
import { keptTools, usePinnedTools } from '../tools/kept-tools.ts'
import styles from './tool.module.css'

/** The effect of a tool, and how it runs. */
export function ToolBadges({ tool }: { tool: Api<'ToolDetail'> }) {
  return (
    <>
      <ServerIcon {...(tool.icons !== undefined && { icons: tool.icons })} />
      <EffectTag effect={tool.effect} />
      {tool.approval === 'always' && (
        <Tag tone="ask" title="Every call needs approval">
          <IconShieldQuestion size={13} stroke={1.6} aria-hidden="true" />
          asks
        </Tag>
      )}
      {tool.execution === 'background' && <Tag title="Runs in the background">background</Tag>}
      {tool.isolation === 'worker' && (
        <Tag title="Runs in its own thread, which ends with the call">worker</Tag>
      )}
      {tool.execution === 'external' && <Tag title="An external worker completes it">external</Tag>}
    </>
  )
}

/** The name and description of a tool. The first sentence is for people; the rest is advice to models. */
export function ToolFacts({ tool: { name, description } }: { tool: Api<'ToolDetail'> }) {
  const [isOpen, setOpen] = useState(false)
  const beginning = toBeginning(description)
  const isLong = beginning.length < description.length
  const text = isOpen ? description : beginning
  return (
    <>
      <CopyText text={name} /> <span dir="auto">{text}</span>{' '}
      {isLong && (
        <button
          type="button"
          className={styles.more}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Less' : 'More'}
        </button>
      )}
    </>
  )
}

/** Pins the tool in the library. */
export function ToolPin({ tool: { name, title } }: { tool: Api<'ToolDetail'> }) {
  const isPinned = usePinnedTools().some((pinned) => pinned.name === name)
  return (
    <Button
      variant="default"
      aria-pressed={isPinned}
      leftSection={isPinned ? <IconPinFilled size={15} /> : <IconPin size={15} stroke={1.6} />}
      onClick={() => keptTools.togglePin({ name, title })}
    >
      {isPinned ? 'Pinned' : 'Pin'}
    </Button>
  )
}
