import { IconChevronDown, IconChevronRight, IconTool, IconUsers } from '@tabler/icons-react'
import { Suspense, useId, useState } from 'react'
import { Link } from '@tanstack/react-router'
import type { Api } from '../../../api/client.ts'
import type { Approval } from '../../approvals/use-approvals.ts'
import { useToolOf } from '../../approvals/use-approvals.ts'
import { JsonTree } from '../../../output/json/json-tree.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { usePreload } from '../../../ui/use-preload.ts'
import { useOffer } from '../use-agents.ts'
import { callIdOf, wireNameOf } from '../turn/message.ts'
import type { ToolPart } from '../turn/message.ts'
import { ApprovalInPlace } from './approval-in-place.tsx'
import { isOfAgents } from './is-of-agents.ts'
import { describeState, sumUp } from './tool-words.ts'
import styles from './message.module.css'

// Cards start closed, so the result view loads while somebody reads.
const ToolResult = lazyPart(async () => (await import('./tool-result.tsx')).ToolResult)

interface ToolCardProps {
  part: ToolPart
  /** The pending approval of this call. */
  waiting: Approval | undefined
  wireNames: Readonly<Record<string, string>> | undefined
  agent: string
  isLive: boolean
}

/** One tool call: its state, and inside its input and result. */
export function ToolCard({ part, waiting, wireNames, agent, isLive }: ToolCardProps) {
  usePreload(ToolResult.load)
  const id = useId()
  const name = toolNameOf(part, wireNames)
  const title = useTitle(agent, name)
  const asks = part.state === 'approval-requested'
  // Open while it needs approval, and if the tool defines a view for its result.
  const [isWanted, setWanted] = useState<boolean>()
  // A first part of it counts: people want to see what a command writes.
  const hasOutput = part.state === 'output-available'
  const { data: tool } = useToolOf(
    name,
    (isWanted === true || asks || hasOutput) && !isOfAgents(name),
  )
  const isOpen = isWanted ?? (asks || (hasOutput && isDrawn(tool)))
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
              <Suspense fallback={<Loading rows={2} />}>
                <ToolResult part={part} tool={tool} name={name} isLive={isLive} />
              </Suspense>
              <Arguments part={part} name={name} />
            </>
          )}
          <Foot part={part} name={name} />
        </div>
      )}
    </article>
  )
}

/** Whether the result is shown as cards, a table or a chart rather than JSON. */
function isDrawn(tool: Api<'ToolDetail'> | undefined): boolean {
  return tool !== undefined && (tool.sections.length > 0 || tool.view !== undefined)
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
  const { words, tone, isBusy } = describeState(part, isLive)
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
        <span className={styles.label}>Input</span>
        <pre className={styles.stream} tabIndex={0} aria-label="Input, streaming">
          {part.inputText ?? ''}
        </pre>
      </div>
    )
  }
  if (part.input === undefined) return null
  const label = part.approval?.descriptor?.isEdited === true ? 'Input, edited by a person' : 'Input'
  // The result matters most, so the input is collapsed.
  return (
    <details className={styles.arguments} open={!part.state.startsWith('output-')}>
      <summary>{label}</summary>
      <JsonTree value={part.input} label={`Input of ${name}`} />
    </details>
  )
}

function Foot({ part, name }: { part: ToolPart; name: string }) {
  const callId = callIdOf(part)
  return (
    <div className={styles.cardFoot}>
      <code>{name}</code>
      {callId !== undefined && (
        <Link to="/calls/$id" params={{ id: callId }}>
          Open call
        </Link>
      )}
      {part.providerExecuted === true && <span>Run by the model provider</span>}
    </div>
  )
}
