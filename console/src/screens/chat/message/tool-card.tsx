import { IconChevronDown, IconChevronRight, IconTool, IconUsers } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { Link } from '@tanstack/react-router'
import type { Approval } from '../../approvals/use-approvals.ts'
import { useToolOf } from '../../approvals/use-approvals.ts'
import { JsonTree } from '../../../output/json-tree.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { useOffer } from '../use-agents.ts'
import { callIdOf, wireNameOf } from '../turn/message.ts'
import type { ToolPart } from '../turn/message.ts'
import { ApprovalInPlace } from './approval-in-place.tsx'
import { isOfAgents } from './sent-out.tsx'
import { sayState, sumUp } from './tool-words.ts'
import { ToolResult } from './tool-result.tsx'
import styles from './message.module.css'

interface ToolCardProps {
  part: ToolPart
  /** The question it waits with, as the server has it. */
  waiting: Approval | undefined
  wireNames: Readonly<Record<string, string>> | undefined
  agent: string
  isLive: boolean
}

/** One call of a tool: what it is, how it stands, and inside what it was asked and gave. */
export function ToolCard({ part, waiting, wireNames, agent, isLive }: ToolCardProps) {
  const id = useId()
  const name = toolNameOf(part, wireNames)
  const title = useTitle(agent, name)
  const asks = part.state === 'approval-requested'
  // Closed unless somebody opens it; a question is open until it is answered.
  const [isWanted, setWanted] = useState<boolean>()
  const isOpen = isWanted ?? asks
  const { data: tool } = useToolOf(name, isOpen && !isOfAgents(name))
  return (
    <article className={styles.card} data-asks={asks || undefined} aria-label={`Call of ${name}`}>
      <button
        type="button"
        className={styles.cardHead}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setWanted(!isOpen)}
      >
        <Head part={part} title={title} name={name} isOpen={isOpen} isLive={isLive} />
      </button>
      {isOpen && (
        <div className={styles.cardBody} id={id}>
          {asks && part.approval !== undefined ? (
            <ApprovalInPlace id={part.approval.id} known={waiting} tool={tool} />
          ) : (
            <>
              <Arguments part={part} name={name} />
              <ToolResult part={part} tool={tool} name={name} isLive={isLive} />
            </>
          )}
          <Foot part={part} name={name} />
        </div>
      )}
    </article>
  )
}

function toolNameOf(part: ToolPart, wireNames: ToolCardProps['wireNames']): string {
  const wire = wireNameOf(part)
  return part.toolMetadata?.name ?? wireNames?.[wire] ?? wire
}

function useTitle(agent: string, name: string): string {
  const { data } = useOffer(agent)
  return data?.items.find((tool) => tool.name === name)?.title ?? name
}

interface HeadProps {
  part: ToolPart
  title: string
  name: string
  isOpen: boolean
  isLive: boolean
}

function Head({ part, title, name, isOpen, isLive }: HeadProps) {
  const { words, tone, isBusy } = sayState(part, isLive)
  const Icon = isOfAgents(name) ? IconUsers : IconTool
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  return (
    <>
      <Icon size={15} stroke={1.6} aria-hidden="true" />
      <span className={styles.cardName} dir="auto" title={name}>
        {title}
      </span>
      <Tag tone={tone} isBusy={isBusy}>
        {words}
      </Tag>
      <span className={styles.cardSummary} dir="auto">
        {isOpen ? '' : sumUp(part)}
      </span>
      <Chevron size={15} stroke={1.6} aria-hidden="true" />
    </>
  )
}

function Arguments({ part, name }: { part: ToolPart; name: string }) {
  if (part.state === 'input-streaming') {
    return (
      <div>
        <span className={styles.label}>Arguments</span>
        <pre className={styles.stream} tabIndex={0} aria-label="Arguments as they are written">
          {part.inputText ?? ''}
        </pre>
      </div>
    )
  }
  if (part.input === undefined) return null
  return (
    <div>
      <span className={styles.label}>
        {part.approval?.descriptor?.isEdited === true
          ? 'Arguments, edited by a person'
          : 'Arguments'}
      </span>
      <JsonTree value={part.input} label={`Arguments of ${name}`} />
    </div>
  )
}

function Foot({ part, name }: { part: ToolPart; name: string }) {
  const callId = callIdOf(part)
  return (
    <div className={styles.cardFoot}>
      <code>{name}</code>
      {callId !== undefined && (
        <Link to="/calls/$id" params={{ id: callId }}>
          Open the call
        </Link>
      )}
      {part.providerExecuted === true && <span>Run by the model’s provider</span>}
    </div>
  )
}
