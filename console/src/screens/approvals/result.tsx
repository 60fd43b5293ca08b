import { useQuery } from '@tanstack/react-query'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import { CallResult } from '../../output/call/call-result.tsx'
import { Failed } from '../../ui/states.tsx'
import styles from './approvals.module.css'

interface ResultProps {
  callId: string
  tool: Api<'ToolDetail'> | undefined
}

const settled = new Set(['completed', 'failed', 'denied', 'cancelled'])

/** The progress and result of an approved call, followed until it ends. */
export function Result({ callId, tool }: ResultProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['call', callId, 'outcome'],
    queryFn: () => read(api.GET('/api/v1/calls/{id}', { params: { path: { id: callId } } })),
    refetchInterval: ({ state }) =>
      state.data === undefined || settled.has(state.data.status) ? false : 1000,
  })
  if (error !== null) return <Failed error={error} retry={() => void refetch()} />
  if (data === undefined) return null
  return (
    <section aria-label="Result">
      <span className={styles.label}>Result</span>
      <CallResult call={data} {...(tool !== undefined && { tool })} />
    </section>
  )
}
