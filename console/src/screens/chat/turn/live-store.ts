import type { ApiProblem } from '../../../api/problem.ts'
import type { Message } from './message.ts'

/**
 * `sending`: the message is on its way. `answering`: the answer is streaming. `lost`: the connection
 * was lost and is being resumed while the server continues. `idle`: nothing is streaming.
 */
export type LivePhase = 'idle' | 'sending' | 'answering' | 'lost'

export interface TurnState {
  phase: LivePhase
  /** When this turn started to stream. */
  since: number
  conversationId: string | undefined
  turnId: string | undefined
  /** The last message sent, until it is read back from the server. */
  sent: Message | undefined
  /** The answer so far. */
  answer: Message | undefined
  /** The id of the answer being regenerated, which is hidden meanwhile. */
  replaced: string | undefined
  /** Why the last message was refused. */
  problem: ApiProblem | undefined
}

/** The state of a conversation between turns. */
export const idle = {
  phase: 'idle',
  since: 0,
  sent: undefined,
  answer: undefined,
  replaced: undefined,
  problem: undefined,
} as const

export interface LiveStore {
  state(): TurnState
  set(change: Partial<TurnState>): void
  subscribe(listener: () => void): () => void
}

/** Holds the state of one conversation on screen. */
export function createLiveStore(conversationId: string | undefined): LiveStore {
  const listeners = new Set<() => void>()
  let state: TurnState = { ...idle, conversationId, turnId: undefined }
  return {
    state: () => state,
    set(change) {
      state = { ...state, ...change }
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
