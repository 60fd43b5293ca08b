import { EventSourceParserStream } from 'eventsource-parser/stream'
import { useSyncExternalStore } from 'react'
import { api, ask, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import type { JsonValue } from '../../api/json.ts'
import { ApiProblem, fromAnswer, toProblem } from '../../api/problem.ts'
import type { CallEvent } from '../call/call-log.ts'
import { followCall } from '../call/follow-call.ts'
import { isUnderWay, settle, applyFrame } from './run-state.ts'
import type { RunFrame, RunState } from './run-state.ts'

const runs = new Map<string, RunState>()
/** Calls in progress that the person dismissed: they are not shown again. */
const left = new Set<string>()
/** The follower of each tool's run: a browser has only six connections per server. */
const followers = new Map<string, AbortController>()
const listeners = new Set<() => void>()

/**
 * The runs of this tab, one per tool. They outlive the screen: a person who leaves a tool's page and
 * returns finds its run as it is by then.
 */
export const toolRuns = {
  of: (tool: string) => runs.get(tool),
  /** Starts a run, unless one is in progress, and returns how it ended. A run whose start was cut off is retried under the same key. */
  async start(tool: string, input: JsonValue): Promise<RunState | undefined> {
    const before = runs.get(tool)
    if (isUnderWay(before)) return undefined
    const isSame = before?.phase === 'cut' && JSON.stringify(before.input) === JSON.stringify(input)
    const key = isSame ? before.key : createKey()
    set(tool, { phase: 'sending', input, key, beganAt: Date.now() })
    await stream(tool, key)
    void readDuration(tool, key)
    return current(tool, key)
  },
  /** Shows a call made elsewhere or earlier, and follows it until it settles. */
  show(tool: string, call: Api<'CallRecord'>) {
    const run: RunState = {
      phase: 'running',
      input: (call.input ?? {}) as JsonValue,
      key: createKey(),
      beganAt: Date.parse(call.startedAt ?? call.requestedAt),
      callId: call.callId,
    }
    set(tool, settle(run, call))
    if (isUnderWay(runs.get(tool))) void followRun(tool, run.key)
  },
  /** Clears the form for another run. The call continues; its page and the history show it. */
  leave(tool: string) {
    const callId = runs.get(tool)?.callId
    if (callId !== undefined) left.add(callId)
    followers.get(tool)?.abort()
    runs.delete(tool)
    announce()
  },
  /** Removes the last run from the page, unless it is in progress. */
  clear(tool: string) {
    if (isUnderWay(runs.get(tool)) || !runs.delete(tool)) return
    announce()
  },
  wasLeft: (callId: string) => left.has(callId),
  async cancel(tool: string) {
    const callId = runs.get(tool)?.callId
    if (callId === undefined) return
    change(tool, (run) => ({ ...run, isCancelling: true }))
    try {
      const call = await read(
        api.POST('/api/v1/calls/{id}/cancel', { params: { path: { id: callId } } }),
      )
      change(tool, (run) => settle(run, call))
    } finally {
      change(tool, ({ isCancelling: _over, ...run }) => run)
    }
  },
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
}

/** The run of a tool on this tab. */
export function useToolRun(tool: string): RunState | undefined {
  return useSyncExternalStore(toolRuns.subscribe, () => toolRuns.of(tool))
}

/** Sends the input and reads the call's stream to the end. */
async function stream(tool: string, key: string): Promise<void> {
  try {
    const response = await ask(toRequest(tool, key))
    if (!response.ok) throw fromAnswer(await response.json().catch(() => undefined), response)
    await readFrames(tool, key, response)
  } catch (thrown) {
    const problem = toProblem(thrown)
    const run = current(tool, key)
    if (run === undefined) return
    // The call was or may have been made: its record decides.
    if (run.callId !== undefined && problem.callId === undefined && isUnderWay(run)) {
      return followRun(tool, key)
    }
    const phase = problem.code === 'unreachable' ? 'cut' : 'refused'
    change(tool, (known) => ({ ...known, phase, problem }))
  }
}

function toRequest(tool: string, key: string): Request {
  return new Request(`/api/v1/tools/${encodeURIComponent(tool)}/calls`, {
    method: 'POST',
    headers: {
      accept: 'text/event-stream',
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify({ input: runs.get(tool)?.input ?? {} }),
  })
}

async function readFrames(tool: string, key: string, response: Response): Promise<void> {
  if (response.body === null) throw new TypeError('No stream')
  // A settled call with this key is answered at once, as one document.
  if (!(response.headers.get('content-type') ?? '').includes('event-stream')) {
    const result = (await response.json()) as Api<'CallResult'>
    change(tool, (run) => settle(run, result))
    return isUnderWay(runs.get(tool)) ? followRun(tool, key) : undefined
  }
  const frames = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
  for await (const { event, data } of frames) {
    if (current(tool, key) === undefined) return
    const parsed: unknown = JSON.parse(data)
    if (event === 'error') throw fromAnswer(parsed, response)
    change(tool, (run) => applyFrame(run, { event, data: parsed } as RunFrame))
  }
  const run = current(tool, key)
  if (run !== undefined && isUnderWay(run)) throw new TypeError('The stream was cut off')
}

/** The result has no duration; the record has it a moment later. */
async function readDuration(tool: string, key: string): Promise<void> {
  const run = current(tool, key)
  if (run?.phase !== 'settled' || run.callId === undefined || run.tookMs !== undefined) return
  const call = await readCall(run.callId)
  if (call instanceof ApiProblem || current(tool, key) === undefined) return
  change(tool, (known) => {
    const { tookMs } = settle(known, call)
    return tookMs === undefined ? known : { ...known, tookMs }
  })
}

const waitSeconds = 20
const pauseMs = 1000

/** Continues from the record and the event log, and waits for a server that is away. */
async function followRun(tool: string, key: string): Promise<void> {
  const callId = current(tool, key)?.callId
  if (callId === undefined) return
  // The log starts from the first event, so earlier progress is discarded.
  change(tool, ({ progress: _progress, partial: _partial, ...run }) => run)
  const stop = new AbortController()
  followers.get(tool)?.abort()
  followers.set(tool, stop)
  void followCall(callId, {
    signal: stop.signal,
    onState: () => {},
    onEvents(events) {
      if (stop.signal.aborted || current(tool, key) === undefined) return
      change(tool, (run) => events.reduce(tellEvent, run))
    },
  })
  try {
    while (isUnderWay(current(tool, key))) {
      const call = await readCall(callId, stop.signal)
      if (current(tool, key) === undefined || stop.signal.aborted) return
      if (!(call instanceof ApiProblem)) change(tool, (run) => settle(run, call))
      else if (call.retryable) await new Promise((resolve) => setTimeout(resolve, pauseMs))
      else change(tool, (run) => ({ ...run, phase: 'refused', problem: call }))
    }
  } finally {
    stop.abort()
  }
}

function tellEvent(run: RunState, { type, data }: CallEvent): RunState {
  if (type !== 'call.output' || !isUnderWay(run)) return run
  return applyFrame(run, { event: 'call.output', data } as RunFrame)
}

async function readCall(id: string, signal?: AbortSignal): Promise<Api<'CallRecord'> | ApiProblem> {
  try {
    const params = { path: { id }, query: { wait: waitSeconds } }
    return await read(api.GET('/api/v1/calls/{id}', { params, ...(signal && { signal }) }))
  } catch (thrown) {
    return toProblem(thrown)
  }
}

/** The run started under this key, if it is still the one on screen. */
function current(tool: string, key: string): RunState | undefined {
  const run = runs.get(tool)
  return run?.key === key ? run : undefined
}

function change(tool: string, to: (run: RunState) => RunState): void {
  const run = runs.get(tool)
  if (run !== undefined) set(tool, to(run))
}

function set(tool: string, run: RunState): void {
  if (runs.get(tool)?.key !== run.key) followers.get(tool)?.abort()
  runs.set(tool, run)
  announce()
}

function announce(): void {
  for (const listener of listeners) listener()
}

/** `crypto.randomUUID` exists only on https and localhost. */
function createKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return `console-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
