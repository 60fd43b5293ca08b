import { useQuery } from '@tanstack/react-query'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import { useMe } from '../../api/me.ts'
import { toolRuns } from './tool-runs.ts'

interface OpenCalls {
  /** Started by you in the console. */
  own: Api<'CallRecord'> | undefined
  /** Started by someone else, or by an agent. */
  other: Api<'CallRecord'> | undefined
}

/** The calls of a tool that have not settled. */
export function useOpenCalls(tool: string): OpenCalls {
  const { principal } = useMe()
  const { data } = useQuery({
    queryKey: ['calls', 'open', tool],
    queryFn: () => read(api.GET('/api/v1/calls', { params: { query: { tool, limit: 10 } } })),
  })
  const open = data?.items.filter(
    ({ callId, status }) =>
      ['queued', 'running', 'waiting'].includes(status) && !toolRuns.wasLeft(callId),
  )
  const isOwn = ({ runtime, agent, principal: by }: Api<'CallRecord'>) =>
    runtime === 'web' && agent === undefined && by.kind === principal.kind && by.id === principal.id
  return { own: open?.find(isOwn), other: open?.find((call) => !isOwn(call)) }
}
