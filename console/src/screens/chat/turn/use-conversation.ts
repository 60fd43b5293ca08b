import { useQuery } from '@tanstack/react-query'
import { api, read } from '../../../api/client.ts'
import type { Api } from '../../../api/client.ts'
import type { Message } from './message.ts'

export type ConversationDetail = Api<'ConversationDetail'>

export interface StoredConversation {
  detail: ConversationDetail
  messages: readonly Message[]
  /** Older messages were not loaded. */
  hasEarlier: boolean
}

const pageSize = 100
const waitingEveryMs = 5000

export const conversationKey = (id: string) => ['conversations', 'one', id] as const

/** The stored conversation: the newest messages, and as many earlier pages as requested. */
export function useConversation(id: string | undefined, pages: number) {
  return useQuery({
    queryKey: [...conversationKey(id ?? ''), pages],
    queryFn: () => readConversation(id ?? '', pages),
    enabled: id !== undefined,
    placeholderData: (before) => (before?.detail.id === id ? before : undefined),
    // Events report decisions; this polls for people who don't receive those events.
    refetchInterval: ({ state }) =>
      (state.data?.detail.status ?? 'idle') === 'idle' ? false : waitingEveryMs,
  })
}

async function readConversation(id: string, pages: number): Promise<StoredConversation> {
  const first = await readPage(id, 0, pageSize)
  if (first.next === undefined) return toStored(first, false)
  const after = Math.max(0, first.messages - pageSize * pages)
  return toStored(await readPage(id, after, Math.min(1000, pageSize * pages)), after > 0)
}

function readPage(id: string, after: number, limit: number): Promise<ConversationDetail> {
  return read(
    api.GET('/api/v1/conversations/{id}', { params: { path: { id }, query: { after, limit } } }),
  )
}

function toStored(detail: ConversationDetail, hasEarlier: boolean): StoredConversation {
  return { detail, messages: detail.items as unknown as Message[], hasEarlier }
}
