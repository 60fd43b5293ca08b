import { ask } from '../../../api/client.ts'
import { fromAnswer, toProblem } from '../../../api/problem.ts'
import { applyChunk } from './apply-chunk.ts'
import { idle } from './live-store.ts'
import type { LiveStore } from './live-store.ts'
import type { Message } from './message.ts'
import { readTurn } from './read-turn.ts'

export interface TurnReaderOptions {
  agent: string
  store: LiveStore
  /** Called when the server has given a new conversation its id. */
  onOpened(conversationId: string): void
  /** Rereads the stored conversation, so that nothing flickers when the streamed answer is dropped. */
  refresh(conversationId: string): Promise<unknown>
}

export interface TurnReader {
  /** Starts a turn and streams its answer. False if it was refused; the state has the reason. */
  send(body: object, signal: AbortSignal): Promise<boolean>
  /** Streams a running turn from its start, so that no text appears twice. */
  resume(signal: AbortSignal, isFirst?: boolean): Promise<void>
  /** Ends the stream and shows the stored conversation. */
  settle(signal: AbortSignal): Promise<void>
  /** False for a moment after there was no turn to follow. */
  mayFollow(): boolean
}

/** Rendering every chunk would cost more than it shows. */
const renderEveryMs = 40
const longestWaitMs = 8000
const restMs = 1000

/** Starts and follows the turns of one conversation, and reports them to the store. */
export function createTurnReader({ agent, store, ...options }: TurnReaderOptions): TurnReader {
  const path = `/api/v1/agents/${encodeURIComponent(agent)}/chat`
  let restUntil = 0

  async function send(body: object, signal: AbortSignal): Promise<boolean> {
    try {
      const response = await post(path, body, signal)
      void consume(response, signal)
      return true
    } catch (error) {
      if (isAborted(signal)) return false
      store.set({ ...idle, problem: toProblem(error) })
      // Another tab may have started a turn, which can then be followed.
      const { conversationId } = store.state()
      if (conversationId !== undefined) void options.refresh(conversationId)
      return false
    }
  }

  async function consume(response: Response, signal: AbortSignal): Promise<void> {
    const openedId = open(store, response)
    if (openedId !== undefined) options.onOpened(openedId)
    try {
      await readAnswer(response, signal, (answer) => store.set({ phase: 'answering', answer }))
    } catch {
      if (isAborted(signal)) return
      store.set({ phase: 'lost' })
      return resume(signal)
    }
    if (!isAborted(signal)) await settle(signal)
  }

  async function resume(signal: AbortSignal, isFirst = false): Promise<void> {
    const id = store.state().conversationId
    if (id === undefined) return store.set(idle)
    for (let waitMs = 250; !isAborted(signal); waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      if (!isFirst || waitMs > 250) await pause(waitMs)
      if (isAborted(signal)) return
      try {
        const request = new Request(`${path}/${encodeURIComponent(id)}/stream`, { signal })
        const response = await ask(request)
        if (response.status === 200) return await consume(response, signal)
        // No turn is running, or the conversation was deleted: the stored conversation shows it.
        if (response.status < 500) {
          restUntil = Date.now() + restMs
          return await settle(signal)
        }
      } catch {
        if (!isAborted(signal)) store.set({ phase: 'lost' })
      }
    }
  }

  async function settle(signal: AbortSignal): Promise<void> {
    const id = store.state().conversationId
    if (id !== undefined) await options.refresh(id).catch(() => undefined)
    if (!isAborted(signal)) store.set(idle)
  }

  return { send, resume, settle, mayFollow: () => Date.now() >= restUntil }
}

/** A function, because the compiler does not expect a signal to change while it waits. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted
}

async function post(path: string, body: object, signal: AbortSignal): Promise<Response> {
  const response = await ask(
    new Request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    }),
  )
  if (!response.ok) throw fromAnswer(await response.json().catch(() => undefined), response)
  return response
}

/** Takes the ids of a turn from its headers. Returns the id of the conversation if it is new. */
function open(store: LiveStore, { headers }: Response): string | undefined {
  const before = store.state()
  const conversationId = headers.get('x-conversation-id') ?? before.conversationId
  const turnId = headers.get('x-run-id') ?? before.turnId
  store.set({ phase: 'answering', conversationId, turnId, problem: undefined })
  return before.conversationId === undefined ? conversationId : undefined
}

/** Builds the answer chunk by chunk, and shows it at most every few milliseconds. */
async function readAnswer(
  response: Response,
  signal: AbortSignal,
  show: (answer: Message) => void,
): Promise<void> {
  let message: Message = { id: '', role: 'assistant', parts: [] }
  let timer: ReturnType<typeof setTimeout> | undefined
  const render = () => {
    timer = undefined
    if (!signal.aborted && message.id !== '') show(message)
  }
  try {
    for await (const chunk of readTurn(response)) {
      if (signal.aborted) return
      message = applyChunk(message, chunk)
      timer ??= setTimeout(render, renderEveryMs)
    }
    // This render must be the last: a later one would show the answer as still streaming.
    clearTimeout(timer)
    render()
  } finally {
    clearTimeout(timer)
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms * (0.75 + Math.random() / 2)))
}
