import { useQuery } from '@tanstack/react-query'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import { CallResult } from '../../output/call-result.tsx'
import styles from './approvals.module.css'

interface CameOfItProps {
  callId: string
  tool: Api<'ToolDetail'> | undefined
}

/** What a call gave once somebody had said yes. */
export function CameOfIt({ callId, tool }: CameOfItProps) {
  const { data } = useQuery({
    queryKey: ['call', callId, 'outcome'],
    queryFn: () => read(api.GET('/api/v1/calls/{id}', { params: { path: { id: callId } } })),
  })
  if (data === undefined) return null
  return (
    <div>
      <span className={styles.label}>What came of it</span>
      <CallResult call={data} {...(tool !== undefined && { tool })} />
    </div>
  )
}
