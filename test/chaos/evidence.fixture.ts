import { checkEvidence } from './check-evidence.ts'
import type { Answer, EffectLine, Evidence, LoggedEvent, StoredCall } from './evidence.ts'
import { toolTraits } from './tool-traits.ts'

export const input = { operation: 'o1', beforeMs: 0, afterMs: 0 }
export const output = { operation: 'o1' }
export const write: StoredCall = {
  callId: 'call_w',
  tool: 'chaos.write',
  status: 'completed',
  attempt: 1,
  lastSeq: 3,
  hasSettledAt: true,
  input,
  key: 'k1',
  output,
}
export const answer: Answer = {
  atMs: 1,
  node: 'node1',
  tookMs: 1,
  request: 'call',
  operation: 'o1',
  tool: 'chaos.write',
  input,
  key: 'k1',
  http: 200,
  result: { callId: 'call_w', status: 'completed', output },
}
export const line: EffectLine = {
  what: 'begin',
  callId: 'call_w',
  tool: 'chaos.write',
  operation: 'o1',
  run: 'r1',
  pid: 1,
}
export const story = (callId: string, ...types: LoggedEvent['type'][]): LoggedEvent[] =>
  types.map((type, at) => ({ stream: callId, isCall: true, seq: at + 1, type, data: {} }))

/** One call that went well, with all that must be there of it. */
export const sound: Evidence = {
  answers: [answer],
  effects: [line, { ...line, what: 'effect' }],
  calls: [write],
  events: story('call_w', 'call.requested', 'call.started', 'call.completed'),
  followed: story('call_w', 'call.requested', 'call.started', 'call.completed'),
  streamed: story('call_w', 'call.requested', 'call.started', 'call.completed'),
  listed: ['call_w'],
  groups: [],
  scheduleRuns: [],
  tools: toolTraits,
}

/** The sound evidence with another record and log of its call. */
export function told(call: Partial<StoredCall>, ...types: LoggedEvent['type'][]): Evidence {
  const events = story('call_w', ...types)
  const calls = [{ ...write, output: undefined, lastSeq: types.length, ...call }]
  return {
    ...sound,
    answers: [{ ...answer, http: undefined, result: undefined }],
    calls,
    events,
    followed: events,
    streamed: events,
  }
}

export const failed = (code: string) => ({ code, message: 'It failed' })

/** The log of a failed call tells its code, too. */
export function failedWith(evidence: Evidence, code: string): Evidence {
  const tell = (event: LoggedEvent) =>
    event.type === 'call.failed' ? { ...event, data: { error: { code } } } : event
  return {
    ...evidence,
    events: evidence.events.map(tell),
    followed: evidence.followed.map(tell),
    streamed: evidence.streamed.map(tell),
  }
}

export const rules = (evidence: Evidence) => checkEvidence(evidence).map(({ rule }) => rule)
