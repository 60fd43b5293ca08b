import type { CallResult, CallStatus } from '../../src/core/kernel/call.ts'
import type { EventType } from '../../src/core/events/event.ts'
import type { JsonValue } from '../../src/core/kernel/tool.ts'

/** One request of a client and what came back: a line of the ledger. */
export interface Answer {
  /** Milliseconds since the load began. */
  atMs: number
  node: string
  /** How long the client waited. */
  tookMs: number
  request: 'call' | 'look' | 'cancel' | 'decide' | 'complete'
  /** What the client wanted done, once. Repeats of a request share it. */
  operation: string
  tool: string
  input?: JsonValue
  key?: string
  /** What the request was about, where that is a call the client knew. */
  callId?: string
  decision?: 'approve' | 'reject'
  response?: JsonValue
  /** Absent when no answer came: whether it was done is then anybody's guess. */
  http?: number
  result?: Partial<CallResult> & { code?: string }
}

/** A line of the journal that the tools keep outside of the database: what really happened. */
export interface EffectLine {
  /** `end` is written by a tool that is about to return. */
  what: 'begin' | 'effect' | 'end'
  callId: string
  tool: string
  operation: string
  /** One for each time the tool's function was entered. */
  run: string
  pid: number
}

/** A row of the calls table. */
export interface StoredCall {
  callId: string
  tool: string
  status: CallStatus
  attempt: number
  lastSeq: number
  hasSettledAt: boolean
  input: JsonValue
  key?: string
  groupId?: string
  output?: JsonValue
  error?: { code: string; message: string }
}

/** One event of a call or of a loose stream, as the table or the API has it. */
export interface LoggedEvent {
  /** The call's id, or what stands for it where there is no call. */
  stream: string
  isCall: boolean
  seq: number
  type: EventType
  data: JsonValue
}

/** A row of the groups table. */
export interface GroupRow {
  groupId: string
  isSealed: boolean
  isContinued: boolean
  counted: { members: number; pending: number; failed: number }
}

/** A group of calls and how often its continuation ran. */
export interface GroupFact extends GroupRow {
  /** In the order in which they were made. */
  members: readonly string[]
  events: readonly EventType[]
  /** One is cut off when it failed, or its node was silent for so long that another took over. */
  continuations: readonly { results: readonly string[]; isCutOff?: boolean }[]
  /** Somebody waited for it whose process ended before it could tell what it was told. */
  hasLostWaiter: boolean
}

/** A row of the table of runs of schedules. */
export interface ScheduleRunFact {
  runId: string
  scheduleId: string
  dueMs: number
  isManual: boolean
}

export interface ToolTraits {
  /** A read or an idempotent tool: it may run again after a crash. */
  isRepeatable: boolean
  /** Leaves a line in the journal when it takes effect. */
  hasEffect: boolean
  needsApproval?: boolean
  /** Its node tries it again by itself when it fails. */
  retriesOnTheSpot?: boolean
}

/** All a checker may look at. Nothing in it comes from the code that is on trial, but the log itself. */
export interface Evidence {
  answers: readonly Answer[]
  effects: readonly EffectLine[]
  calls: readonly StoredCall[]
  events: readonly LoggedEvent[]
  /** What a reader saw who followed the feed with a cursor the whole time, page by page. */
  followed: readonly LoggedEvent[]
  /** The same as a stream of server-sent events, resumed wherever it broke. */
  streamed: readonly LoggedEvent[]
  /** What was stored before the readers were called to the end; all that is stored, where nothing came after. */
  owed?: readonly LoggedEvent[]
  /** The ids that the API's list of calls gave, page by page, when all was over. */
  listed: readonly string[]
  groups: readonly GroupFact[]
  scheduleRuns: readonly ScheduleRunFact[]
  tools: Readonly<Record<string, ToolTraits>>
}

/** Something that must not be. */
export interface Violation {
  rule: string
  subject: string
  message: string
  context?: unknown
}
