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

/** The result of a call: its output, its error, or the reason it was rejected. */
export function ToolResult({ part, tool, name, isLive }: ToolResultProps) {
  const { state, errorText, approval } = part
  if (state === 'output-error') return <p className={styles.failed}>{errorText}</p>
  if (state === 'output-denied') {
    return <p className={styles.failed}>{approval?.reason ?? 'The call was rejected.'}</p>
  }
  if (state !== 'output-available') return null
  if (isOfAgents(name)) return <SentOut part={part} />
  return (
    <div>
      <Output part={part} tool={tool} isLive={isLive} />
    </div>
  )
}

/** The stored call has the full output; the message only has the part the model reads. */
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
