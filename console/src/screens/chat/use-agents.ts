import { useQuery } from '@tanstack/react-query'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'

export type TalkAgent = Api<'ChatAgent'>
export type OfferedTool = Api<'OfferedTool'>

/** Whom one can talk to. */
export function useTalkAgents() {
  return useQuery({
    queryKey: ['agents', 'talk'],
    queryFn: () => read(api.GET('/api/v1/chat/agents', { params: { query: { limit: 200 } } })),
  })
}

/** What an agent may use in a chat with this person, and what asks first. */
export function useOffer(agent: string) {
  return useQuery({
    queryKey: ['tools', 'offer', agent],
    queryFn: () =>
      read(
        api.GET('/api/v1/offer', {
          params: { query: { agent, runtime: 'chat', limit: 500, brief: 'true' } },
        }),
      ),
    staleTime: 60_000,
  })
}
