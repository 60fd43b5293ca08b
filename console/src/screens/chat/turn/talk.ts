import { ask } from '../../../api/client.ts'
import { fromAnswer, toProblem } from '../../../api/problem.ts'
import type { ApiProblem } from '../../../api/problem.ts'
import { applyChunk } from './apply-chunk.ts'
import type { Message, Part } from './message.ts'
import { readTurn } from './read-turn.ts'

/**
 * `sending`: on its way. `answering`: the answer comes. `lost`: the line was cut, the server goes on
 * and is asked again. `idle`: nothing is read; what is stored is all there is.
 */
export type TalkPhase = 'idle' | 'sending' | 'answering' | 'lost'

export interface TalkState {
  phase: TalkPhase
  /** When this turn began to be read. */
  since: number
  conversationId: string | undefined
  turnId: string | undefined
  /** What was said last, until it is read back from the server. */
  said: Message | undefined
  /** The answer as far as it came. */
  answer: Message | undefined
  /** An answer that is being given again: what was there is not shown. */
  replaced: string | undefined
  /** Why what was said was not taken. */
  problem: ApiProblem | undefined
}

export interface Talk {
  /** One conversation on the screen, also while it gets its id. */
  readonly key: number
  state(): TalkState
  subscribe(listener: () => void): () => void
  /** Says something. False: it was not taken, and why is in the state. */
  say(parts: readonly Part[]): Promise<boolean>
  /** Asks for another answer to what was said. */
  again(messageId: string | undefined): Promise<boolean>
  /** Reads along with a turn that somebody, or another tab, has begun. */
  follow(): void
  /** What is stored says that nothing runs any more: whatever is still read is over. */
  leave(): void
  dismiss(): void
  close(): void
}

interface TalkOptions {
  agent: string
  conversationId: string | undefined
  /** The server has given it an id. */
  onOpened(talk: Talk, conversationId: string): void
  /** What is stored has changed: read it, so that nothing blinks when what was streamed goes. */
  refresh(conversationId: string): Promise<unknown>
}

/** What is streamed is drawn at most so often; every word for itself would cost more than it shows. */
const drawEveryMs = 40
const longestWaitMs = 8000
/** So long a conversation is left alone after there was nothing to follow in it. */
const restMs = 1000
let count = 0

const resting = {
  phase: 'idle',
  since: 0,
  said: undefined,
  answer: undefined,
  replaced: undefined,
  problem: undefined,
} as const

/** One conversation as it is talked in. The server holds the truth: this reads along with one turn. */
export function createTalk(options: TalkOptions): Talk {
  const listeners = new Set<() => void>()
  // A name of our own until the server has given one: sent twice, it is one conversation.
  const clientId = crypto.randomUUID()
  const path = `/api/v1/agents/${encodeURIComponent(options.agent)}/chat`
  let now: TalkState = { ...resting, conversationId: options.conversationId, turnId: undefined }
  let reading = new AbortController()
  let restUntil = 0
  /** What may or may not have arrived. */
  let unsure: Message | undefined
  const set = (change: Partial<TalkState>) => {
    now = { ...now, ...change }
    for (const listener of listeners) listener()
  }
  const isGone = (signal: AbortSignal) => signal.aborted

  async function post(body: object, signal: AbortSignal): Promise<boolean> {
    try {
      const response = await ask(
        new Request(path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ id: now.conversationId ?? clientId, ...body }),
          signal,
        }),
      )
      if (!response.ok) throw fromAnswer(await response.json().catch(() => undefined), response)
      void consume(response, signal)
      return true
    } catch (error) {
      if (isGone(signal)) return false
      set({ ...resting, problem: toProblem(error) })
      // Another tab may have set a turn going: then there is something to read.
      if (now.conversationId !== undefined) void options.refresh(now.conversationId)
      return false
    }
  }

  /** Reads an answer to its end; where the line is cut, goes on by asking the server again. */
  async function consume(response: Response, signal: AbortSignal): Promise<void> {
    opened(response)
    try {
      await readAnswer(response, signal, (answer) => set({ phase: 'answering', answer }))
    } catch {
      if (isGone(signal)) return
      set({ phase: 'lost' })
      return resume(signal)
    }
    if (!isGone(signal)) await settle(signal)
  }

  function opened({ headers }: Response): void {
    const conversationId = headers.get('x-conversation-id') ?? now.conversationId
    const isNew = now.conversationId === undefined && conversationId !== undefined
    set({
      phase: 'answering',
      conversationId,
      turnId: headers.get('x-run-id') ?? now.turnId,
      problem: undefined,
    })
    if (isNew) options.onOpened(talk, conversationId)
  }

  /** The turn from its beginning and on: the answer is made anew, so nothing is in it twice. */
  async function resume(signal: AbortSignal, isFirst = false): Promise<void> {
    const id = now.conversationId
    if (id === undefined) return set(resting)
    for (let waitMs = 250; !isGone(signal); waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      if (!isFirst || waitMs > 250) await pause(waitMs)
      if (isGone(signal)) return
      try {
        const request = new Request(`${path}/${encodeURIComponent(id)}/stream`, { signal })
        const response = await ask(request)
        if (response.status === 200) return await consume(response, signal)
        // Nothing runs, or it is gone: what is stored says so.
        if (response.status < 500) {
          restUntil = Date.now() + restMs
          return await settle(signal)
        }
      } catch {
        if (!isGone(signal)) set({ phase: 'lost' })
      }
    }
  }

  async function settle(signal: AbortSignal): Promise<void> {
    const id = now.conversationId
    if (id !== undefined) await options.refresh(id).catch(() => undefined)
    if (!isGone(signal)) set(resting)
  }

  function begin(change: Partial<TalkState>): AbortSignal {
    reading.abort()
    reading = new AbortController()
    set({ ...resting, phase: 'sending', since: Date.now(), ...change })
    return reading.signal
  }

  const talk: Talk = {
    key: ++count,
    state: () => now,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    say(parts) {
      // The same message sent twice is one turn: its id is ours.
      const said = toMessage(parts, unsure)
      const sending = post({ message: said }, begin({ said }))
      return sending.then((isTaken) => {
        unsure = isTaken ? undefined : said
        return isTaken
      })
    },
    again: (messageId) => post(toRetry(messageId), begin({ replaced: messageId })),
    follow() {
      if (now.phase !== 'idle' || Date.now() < restUntil) return
      const signal = begin({ phase: 'answering' })
      void resume(signal, true)
    },
    leave() {
      if (now.phase === 'idle' || now.phase === 'sending') return
      reading.abort()
      reading = new AbortController()
      void settle(reading.signal)
    },
    dismiss: () => set({ problem: undefined }),
    close() {
      reading.abort()
      set(resting)
    },
  }
  return talk
}

function toRetry(messageId: string | undefined): object {
  return { trigger: 'regenerate-message', ...(messageId !== undefined && { messageId }) }
}

function toMessage(parts: readonly Part[], unsure: Message | undefined): Message {
  const isAgain = JSON.stringify(unsure?.parts) === JSON.stringify(parts)
  const id = isAgain ? unsure?.id : undefined
  return { id: id ?? crypto.randomUUID(), role: 'user', parts }
}

/** Makes the message of what comes, and shows it now and then. */
async function readAnswer(
  response: Response,
  signal: AbortSignal,
  show: (answer: Message) => void,
): Promise<void> {
  let message: Message = { id: '', role: 'assistant', parts: [] }
  let timer: ReturnType<typeof setTimeout> | undefined
  const draw = () => {
    timer = undefined
    if (!signal.aborted && message.id !== '') show(message)
  }
  try {
    for await (const chunk of readTurn(response)) {
      if (signal.aborted) return
      message = applyChunk(message, chunk)
      timer ??= setTimeout(draw, drawEveryMs)
    }
    // The last drawing is this one: one that comes after the end would have it answer for ever.
    clearTimeout(timer)
    draw()
  } finally {
    clearTimeout(timer)
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms * (0.75 + Math.random() / 2)))
}
