import { useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useSyncExternalStore } from 'react'
import type { Message } from './message.ts'
import { createLiveConversation } from './live-conversation.ts'
import type { LiveConversation } from './live-conversation.ts'
import type { TurnState } from './live-store.ts'
import { conversationKey } from './use-conversation.ts'
import type { StoredConversation } from './use-conversation.ts'

/** The conversations on screen, by agent and id. A new one moves when it gets its id. */
const onScreen = new Map<string, LiveConversation>()

/** The conversation at this address: the same object before and after it has an id. */
export function useLiveConversation(
  agent: string,
  conversationId: string | undefined,
): LiveConversation {
  const queryClient = useQueryClient()
  const router = useRouter()
  const name = nameOf(agent, conversationId)
  const live = onScreen.get(name) ?? open()
  useEffect(() => () => closeConversation(live), [live])
  useEffect(() => {
    // It has its own address now, so the next one without an id is new.
    if (conversationId !== undefined) onScreen.delete(nameOf(agent, undefined))
  }, [agent, conversationId])
  return live

  function open(): LiveConversation {
    const created = createLiveConversation({
      agent,
      conversationId,
      refresh: (id) => refresh(queryClient, id),
      onOpened(opened, id) {
        if (!isOnScreen(opened)) return
        // Under both names until the address has changed: a render before that would create a second
        // one and close the first.
        onScreen.set(nameOf(agent, id), opened)
        void router.navigate({
          to: '/chat/{-$agent}/{-$conversation}',
          params: { agent, conversation: id },
          replace: true,
        })
      },
    })
    onScreen.set(name, created)
    return created
  }
}

export function useLiveState(live: LiveConversation): TurnState {
  return useSyncExternalStore(live.subscribe, live.state)
}

/** The stored messages with the sent message and the running answer in place. */
export function mergeMessages(
  stored: readonly Message[],
  { sent, answer, replaced }: Pick<TurnState, 'sent' | 'answer' | 'replaced'>,
): Message[] {
  const messages = stored.filter(({ id }) => id !== replaced && id !== answer?.id)
  if (sent !== undefined && !messages.some(({ id }) => id === sent.id)) messages.push(sent)
  if (answer !== undefined) messages.push(answer)
  return messages
}

/** Whether a turn is running that is not waiting for a person. */
export function isTurnRunning(stored: StoredConversation | undefined): boolean {
  const status = stored?.detail.status
  if (status === 'queued' || status === 'running') return true
  return status === 'waiting' && stored?.detail.waiting.length === 0
}

/** Keeps a person from being taken to a conversation they have left. */
function isOnScreen(live: LiveConversation): boolean {
  return [...onScreen.values()].includes(live)
}

function closeConversation(live: LiveConversation): void {
  for (const [name, one] of onScreen) if (one === live) onScreen.delete(name)
  live.close()
}

async function refresh(queryClient: QueryClient, id: string): Promise<void> {
  void queryClient.invalidateQueries({ queryKey: ['conversations', 'list'] })
  void queryClient.invalidateQueries({ queryKey: ['runs'] })
  await queryClient.refetchQueries({ queryKey: conversationKey(id) })
}

function nameOf(agent: string, conversationId: string | undefined): string {
  return `${agent}/${conversationId ?? ''}`
}
