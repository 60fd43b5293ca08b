import { useQuery } from '@tanstack/react-query'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import { useMe } from '../../api/me.ts'
import { toolRuns } from './tool-runs.ts'

interface OpenCalls {
  /** Made by whoever looks, from the console. */
  own: Api<'CallRecord'> | undefined
  /** Somebody else's, or an agent's. */
  other: Api<'CallRecord'> | undefined
}

/** Calls of a tool that have not ended. */
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
