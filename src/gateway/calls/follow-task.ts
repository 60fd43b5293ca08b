import { ToolError } from '../../core/kernel/errors.ts'
import { isRecord } from '../../core/kernel/json/json-type.ts'
import type { Upstream, UpstreamRequest } from '../upstream/open-upstream.ts'
import { type JsonRecord, toRpcFailure } from '../wire/messages.ts'
import { askCaller, type CallFrame } from './call-frame.ts'

interface Following {
  upstream: Upstream
  frame: CallFrame
  /** Fields that requests about the task carry. */
  options: UpstreamRequest & { signal: AbortSignal }
}

const shortestPollMs = 50
const longestPollMs = 10_000
const askMs = 30_000

/** Follows work that a server continues after its answer. Resolves with the result of the call. */
export async function followTask(task: JsonRecord, following: Following): Promise<JsonRecord> {
  const { upstream, frame, options } = following
  const taskId = task['taskId']
  if (typeof taskId !== 'string') {
    throw new ToolError('upstream_failed', 'The server answered with a task without an id')
  }
  const ask = (method: string, more: JsonRecord = {}) =>
    upstream.request(method, { taskId, ...more }, { ...options, timeoutMs: askMs })
  const onAbort = () => {
    // Nobody waits any more; that the server stops is all that is left to ask for.
    const { signal: _signal, ...rest } = options
    upstream
      .request('tasks/cancel', { taskId }, { ...rest, timeoutMs: askMs })
      .catch(() => undefined)
  }
  options.signal.addEventListener('abort', onAbort, { once: true })
  // Between two looks no request waits, and the task may ask or log all the same.
  const leave = upstream.peer.hold(frame)
  try {
    return upstream.verdict.era === 'modern'
      ? await followModern(task, ask, following)
      : await followLegacy(task, ask, following)
  } finally {
    options.signal.removeEventListener('abort', onAbort)
    leave(options.signal.aborted ? 'given up' : 'done')
  }
}

type Ask = (method: string, more?: JsonRecord) => Promise<JsonRecord>

async function followModern(
  task: JsonRecord,
  ask: Ask,
  { frame, options }: Following,
): Promise<JsonRecord> {
  let state = task
  const answered = new Set<string>()
  for (;;) {
    tell(state, options)
    if (state['status'] === 'completed') return recordOf(state['result'])
    if (state['status'] === 'failed')
      throw toRpcFailure(state['error'] ?? { message: words(state) })
    if (state['status'] === 'cancelled') throw stopped()
    const questions = state['status'] === 'input_required' ? recordOf(state['inputRequests']) : {}
    const open = Object.entries(questions).filter(([key]) => !answered.has(key))
    if (open.length > 0) {
      const inputResponses = await askCaller(frame, Object.fromEntries(open))
      open.forEach(([key]) => answered.add(key))
      await ask('tasks/update', { inputResponses })
    }
    await pause(state['pollIntervalMs'], options.signal)
    state = await ask('tasks/get')
  }
}

/** Tasks as the protocol had them before: the result is asked for by itself. */
async function followLegacy(
  task: JsonRecord,
  ask: Ask,
  { upstream, options }: Following,
): Promise<JsonRecord> {
  let state = task
  for (;;) {
    tell(state, options)
    const { status } = state
    if (status === 'cancelled') throw stopped()
    if (status === 'completed' || status === 'failed' || status === 'input_required') {
      const { taskId = '' } = task
      return upstream.request('tasks/result', { taskId }, options)
    }
    await pause(state['pollInterval'], options.signal)
    state = await ask('tasks/get')
  }
}

function tell(state: JsonRecord, { onProgress }: UpstreamRequest): void {
  const message = state['statusMessage']
  if (typeof message === 'string' && message !== '') onProgress?.({ message })
}

function words(state: JsonRecord): string {
  const message = state['statusMessage']
  return typeof message === 'string' && message !== '' ? message : 'The task failed'
}

function stopped(): ToolError {
  return new ToolError('tool_failed', 'The server stopped the task')
}

function recordOf(value: unknown): JsonRecord {
  return isRecord(value) ? (value as JsonRecord) : {}
}

function pause(asked: unknown, signal: AbortSignal): Promise<void> {
  const wanted = typeof asked === 'number' && asked > 0 ? asked : 1000
  const ms = Math.min(longestPollMs, Math.max(shortestPollMs, wanted))
  return new Promise((resolve, reject) => {
    const timer = setTimeout(finish, ms)
    function finish(): void {
      signal.removeEventListener('abort', stop)
      resolve()
    }
    function stop(): void {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    signal.addEventListener('abort', stop, { once: true })
  })
}
