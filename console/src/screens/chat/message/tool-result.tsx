import { useQuery } from '@tanstack/react-query'
import { api, read } from '../../../api/client.ts'
import type { Api } from '../../../api/client.ts'
import { CallResult } from '../../../output/call/call-result.tsx'
import { OutputView } from '../../../output/output-view.tsx'
import { callIdOf } from '../turn/message.ts'
import type { ToolPart } from '../turn/message.ts'
import { isOfAgents } from './is-of-agents.ts'
import { SentOut } from './sent-out.tsx'
import styles from './message.module.css'

interface ToolResultProps {
  part: ToolPart
  tool: Api<'ToolDetail'> | undefined
  name: string
  isLive: boolean
}

/** What came of a call: its output, why it failed, or the no that a person said. */
export function ToolResult({ part, tool, name, isLive }: ToolResultProps) {
  const { state, errorText, approval } = part
  if (state === 'output-error') return <p className={styles.failed}>{errorText}</p>
  if (state === 'output-denied') {
    return <p className={styles.failed}>{approval?.reason ?? 'A person rejected the call.'}</p>
  }
  if (state !== 'output-available') return null
  if (isOfAgents(name)) return <SentOut part={part} />
  return (
    <div>
      <Output part={part} tool={tool} isLive={isLive} />
    </div>
  )
}

/** The record has it whole, also where the message has only as much as a model reads. */
function Output({ part, tool, isLive }: Omit<ToolResultProps, 'name'>) {
  const callId = callIdOf(part)
  const isPartial = part.preliminary === true
  const { data } = useQuery({
    queryKey: ['call', callId ?? '', 'outcome'],
    queryFn: () => read(api.GET('/api/v1/calls/{id}', { params: { path: { id: callId ?? '' } } })),
    enabled: callId !== undefined && !isPartial,
  })
  const known = tool === undefined ? {} : { tool }
  if (data?.status === 'completed') return <CallResult call={data} {...known} />
  return <OutputView value={part.output ?? null} isPartial={isPartial && isLive} {...known} />
}
