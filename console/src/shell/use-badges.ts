import { useQuery } from '@tanstack/react-query'
import { api, read } from '../api/client.ts'
import { useCan } from '../api/me.ts'
import { usePollMs } from '../live/use-live.ts'
import type { Tone } from '../ui/tag.tsx'

/** The number of things that need attention on a screen. */
export interface BadgeFacts {
  count: number
  words: string
  tone: Tone
}

/** Things that need the signed-in person's attention, by the address of the screen. */
export function useBadges(): Readonly<Record<string, BadgeFacts>> {
  return {
    '/approvals': { count: useWaitingApprovals(), words: 'waiting', tone: 'ask' },
    '/questions': { count: useWaitingQuestions(), words: 'waiting', tone: 'ask' },
    '/mcp-servers': { count: useQuarantined(), words: 'tools to review', tone: 'deny' },
    '/apis': { count: useQuarantinedOperations(), words: 'operations to review', tone: 'deny' },
    '/secrets': { count: useMissingSecrets(), words: 'missing', tone: 'ask' },
  }
}

function useWaitingApprovals(): number {
  const mayDecide = useCan('approvals.decide')
  const refetchInterval = usePollMs()
  const { data } = useQuery({
    queryKey: ['approvals', 'waiting'],
    queryFn: () =>
      read(api.GET('/api/v1/approvals', { params: { query: { status: 'pending', limit: 100 } } })),
    enabled: mayDecide,
    refetchInterval,
  })
  return data?.items.length ?? 0
}

function useWaitingQuestions(): number {
  const refetchInterval = usePollMs()
  const { data } = useQuery({
    queryKey: ['questions', 'waiting'],
    queryFn: () =>
      read(
        api.GET('/api/v1/questions', {
          params: { query: { status: 'pending', mine: 'true', limit: 100 } },
        }),
      ),
    refetchInterval,
  })
  return data?.items.length ?? 0
}

/** Servers change outside of the log, so they are looked at now and then. */
const serversMs = 60_000

function useQuarantined(): number {
  const mayManage = useCan('mcp.manage')
  const mayApprove = useCan('tools.approve')
  const { data } = useQuery({
    queryKey: ['mcp-servers', 'badge'],
    queryFn: () => read(api.GET('/api/v1/mcp-servers', { params: { query: { limit: 200 } } })),
    enabled: mayManage || mayApprove,
    refetchInterval: serversMs,
  })
  return data?.items.reduce((sum, server) => sum + server.toolCounts.quarantined, 0) ?? 0
}

function useQuarantinedOperations(): number {
  const mayManage = useCan('apis.manage')
  const mayApprove = useCan('tools.approve')
  const { data } = useQuery({
    queryKey: ['apis', 'badge'],
    queryFn: () => read(api.GET('/api/v1/apis', { params: { query: { limit: 100 } } })),
    enabled: mayManage || mayApprove,
  })
  return data?.items.reduce((sum, one) => sum + one.toolCounts.quarantined, 0) ?? 0
}

function useMissingSecrets(): number {
  const mayWrite = useCan('secrets.write')
  const { data } = useQuery({
    queryKey: ['secrets', 'badge'],
    queryFn: () => read(api.GET('/api/v1/secrets', { params: { query: { limit: 1 } } })),
    enabled: mayWrite,
  })
  const missing = data?.requirements.filter(
    ({ isSet, requiredBy }) => !isSet && requiredBy.length > 0,
  )
  return missing?.length ?? 0
}
