import { useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useSyncExternalStore } from 'react'
import type { Message } from './message.ts'
import { createTalk } from './talk.ts'
import type { Talk, TalkState } from './talk.ts'
import { conversationKey } from './use-conversation.ts'
import type { StoredConversation } from './use-conversation.ts'

/** Those on the screen, by agent and conversation. One that gets its id while it is talked in moves. */
const talks = new Map<string, Talk>()

/** The conversation at this address; the same one before and after it has an id. */
export function useTalk(agent: string, conversationId: string | undefined): Talk {
  const queryClient = useQueryClient()
  const router = useRouter()
  const name = nameOf(agent, conversationId)
  const talk = talks.get(name) ?? open()
  useEffect(() => () => forget(talk), [talk])
  useEffect(() => {
    // It is at its own address now: what is begun without one next is another.
    if (conversationId !== undefined) talks.delete(nameOf(agent, undefined))
  }, [agent, conversationId])
  return talk

  function open(): Talk {
    const created = createTalk({
      agent,
      conversationId,
      refresh: (id) => refresh(queryClient, id),
      onOpened(opened, id) {
        if (!isOnScreen(opened)) return
        // Under both names until the address has changed: it is drawn before that, and a second one
        // in its place would hang up on the first.
        talks.set(nameOf(agent, id), opened)
        void router.navigate({
          to: '/chat/{-$agent}/{-$conversation}',
          params: { agent, conversation: id },
          replace: true,
        })
      },
    })
    talks.set(name, created)
    return created
  }
}

export function useTalkState(talk: Talk): TalkState {
  return useSyncExternalStore(talk.subscribe, talk.state)
}

/** What is stored, with what was just said and what is being answered in their places. */
export function mergeMessages(
  stored: readonly Message[],
  { said, answer, replaced }: Pick<TalkState, 'said' | 'answer' | 'replaced'>,
): Message[] {
  const messages = stored.filter(({ id }) => id !== replaced && id !== answer?.id)
  if (said !== undefined && !messages.some(({ id }) => id === said.id)) messages.push(said)
  if (answer !== undefined) messages.push(answer)
  return messages
}

/** A turn is under way that nobody here reads, and it does not wait for a person. */
export function hasNews(stored: StoredConversation | undefined): boolean {
  const status = stored?.detail.status
  if (status === 'queued' || status === 'running') return true
  return status === 'waiting' && stored?.detail.waiting.length === 0
}

/** Nobody is taken to a conversation that they have left. */
function isOnScreen(talk: Talk): boolean {
  return [...talks.values()].includes(talk)
}

function forget(talk: Talk): void {
  for (const [name, one] of talks) if (one === talk) talks.delete(name)
  talk.close()
}

async function refresh(queryClient: QueryClient, id: string): Promise<void> {
  void queryClient.invalidateQueries({ queryKey: ['conversations', 'list'] })
  void queryClient.invalidateQueries({ queryKey: ['runs'] })
  await queryClient.refetchQueries({ queryKey: conversationKey(id) })
}

function nameOf(agent: string, conversationId: string | undefined): string {
  return `${agent}/${conversationId ?? ''}`
}
