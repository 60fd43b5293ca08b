import { useQuery } from '@tanstack/react-query'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'

export type ChatAgent = Api<'ChatAgent'>
export type OfferedTool = Api<'OfferedTool'>

/** The agents you can chat with. */
export function useChatAgents() {
  return useQuery({
    queryKey: ['agents', 'chat'],
    queryFn: () => read(api.GET('/api/v1/chat/agents', { params: { query: { limit: 200 } } })),
  })
}

/** The tools an agent can use in your chat, and which need approval. */
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
