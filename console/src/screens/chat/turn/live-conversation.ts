import { createLiveStore, idle } from './live-store.ts'
import type { TurnState } from './live-store.ts'
import type { Message, Part } from './message.ts'
import { createTurnReader } from './turn-reader.ts'

export interface LiveConversation {
  /** Identifies the conversation on screen, also before it has an id. */
  readonly key: number
  state(): TurnState
  subscribe(listener: () => void): () => void
  /** Sends a message. False if it was refused; the state has the reason. */
  send(parts: readonly Part[]): Promise<boolean>
  /** Asks for another answer to the last message. */
  regenerate(messageId: string | undefined): Promise<boolean>
  /** Follows a turn started by someone else or in another tab. */
  follow(): void
  /** Stops following: the stored conversation says that no turn is running. */
  leave(): void
  dismiss(): void
  close(): void
}

interface LiveConversationOptions {
  agent: string
  conversationId: string | undefined
  /** Called when the server has given the conversation its id. */
  onOpened(live: LiveConversation, conversationId: string): void
  /** Rereads the stored conversation. */
  refresh(conversationId: string): Promise<unknown>
}

let count = 0

/** One conversation on screen. The server has the authoritative copy: this streams one turn at a time. */
export function createLiveConversation(options: LiveConversationOptions): LiveConversation {
  const { agent, conversationId, refresh } = options
  // The id until the server assigns one, so that a repeated message does not start a second conversation.
  const clientId = crypto.randomUUID()
  const store = createLiveStore(conversationId)
  const onOpened = (id: string) => options.onOpened(live, id)
  const reader = createTurnReader({ agent, store, onOpened, refresh })
  let streaming = new AbortController()
  /** A message that may or may not have arrived. */
  let unconfirmed: Message | undefined

  function restart(): AbortSignal {
    streaming.abort()
    streaming = new AbortController()
    return streaming.signal
  }
  function begin(body: object, change: Partial<TurnState>): Promise<boolean> {
    const signal = restart()
    store.set({ ...idle, phase: 'sending', since: Date.now(), ...change })
    return reader.send({ id: store.state().conversationId ?? clientId, ...body }, signal)
  }

  const live: LiveConversation = {
    key: ++count,
    state: store.state,
    subscribe: store.subscribe,
    async send(parts) {
      const sent = toMessage(parts, unconfirmed)
      const isAccepted = await begin({ message: sent }, { sent })
      unconfirmed = isAccepted ? undefined : sent
      return isAccepted
    },
    regenerate: (messageId) => begin(toRetry(messageId), { replaced: messageId }),
    follow() {
      if (store.state().phase !== 'idle' || !reader.mayFollow()) return
      const signal = restart()
      store.set({ ...idle, phase: 'answering', since: Date.now() })
      void reader.resume(signal, true)
    },
    leave() {
      const { phase } = store.state()
      if (phase !== 'idle' && phase !== 'sending') void reader.settle(restart())
    },
    dismiss: () => store.set({ problem: undefined }),
    close() {
      streaming.abort()
      store.set(idle)
    },
  }
  return live
}

function toRetry(messageId: string | undefined): object {
  return { trigger: 'regenerate-message', ...(messageId !== undefined && { messageId }) }
}

/** A repeated message keeps its id, so that the server starts one turn only. */
function toMessage(parts: readonly Part[], unconfirmed: Message | undefined): Message {
  const isRepeated = JSON.stringify(unconfirmed?.parts) === JSON.stringify(parts)
  const id = isRepeated ? unconfirmed?.id : undefined
  return { id: id ?? crypto.randomUUID(), role: 'user', parts }
}
