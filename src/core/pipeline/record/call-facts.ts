import type { ApprovalStart } from '../../approvals/approval.ts'
import type {
  Caller,
  CallError,
  CallPurpose,
  CallResult,
  Decision,
  WaitingFor,
} from '../../kernel/call.ts'
import type { TurnUsage } from '../../conversations/conversation.ts'
import type { EventPayloads, NewEvent } from '../../events/event.ts'
import type { ToolSettings } from '../../policy/scope.ts'
import type { FlowFacts } from '../../flow/session-flags.ts'
import type { CallStart, Settlement } from '../../call-log.ts'
import type { WorkOrder } from '../../work-ports.ts'
import type { Rerun } from '../../kernel/steps/rerun.ts'
import type { JsonValue, ToolContract } from '../../kernel/tool.ts'
import type { StepFacts } from '../chained-request.ts'
import { costOf } from './call-cost.ts'
import type { FinishedOutput } from '../output/finish-output.ts'
import { stepWake } from './step-wake.ts'
import { utf8Length } from '../../kernel/text/utf8.ts'

/** The facts of a call once it may be made; its record starts with them. */
export interface CallFacts {
  callId: string
  contract: ToolContract
  toolVersion: string
  caller: Caller
  /** As recorded: without the call's secrets. */
  input: JsonValue
  /** The original input, if it differs from the recorded one; for comparing, never stored. */
  rawInput?: JsonValue
  /**
   * For a call with a key: the input as its tool takes it, if it differs from the original; also
   * for comparing.
   */
  preparedInput?: JsonValue | undefined
  decision: Decision
  /** The calling agent's settings for the tool. */
  settings: ToolSettings
  timeoutMs: number
  requestedAt: number
  parentId: string | undefined
  /** For a call without effects. */
  purpose?: CallPurpose | undefined
  /** The call that it undoes. */
  undoes?: string | undefined
  /** The call that it runs again. */
  rerun?: Rerun | undefined
  /** Its position among the calls of its parent. */
  position?: number
  /** For a nested call: the digest of its tool and input as its parent requested them. */
  askedDigest?: string | undefined
  groupId?: string
  idempotencyKey: string | undefined
  /** For a tool that reads labelled data. */
  flow?: FlowFacts
  /** A later run of it continues with the calls it has made. */
  isResumable?: true
  /** For such a call: when it times out, waiting or not. */
  deadlineAt?: number
  /** For a call that a resumable one makes. */
  step?: StepFacts
  isPinned?: boolean
  /** Part of a draft that is tried for real. */
  isTrial?: boolean
  depth?: number
}

/**
 * Inputs and outputs up to this size are included in the event, so that a reader of the log needs
 * no second query.
 */
const inlineChars = 2048

/** A read, or a call that is safe to repeat: it may be rerun after a crash. */
export function isRepeatable(contract: ToolContract): boolean {
  return contract.effect === 'read' || contract.idempotent
}

/** It may be stopped halfway and run later: from the beginning, or from where it stopped. */
export function mayRunAgain({
  contract,
  isResumable,
}: Pick<CallFacts, 'contract' | 'isResumable'>): boolean {
  return isResumable === true || isRepeatable(contract)
}

/** How a call starts: it runs at once, is queued, or waits for someone before anything runs. */
export type CallOpening =
  | { status: 'running' }
  | { status: 'queued'; work: WorkOrder }
  | {
      status: 'waiting'
      work: WorkOrder
      waitingFor: WaitingFor
      deadlineAt?: number
      approval?: ApprovalStart
    }

/**
 * The first record. A call that does not run at once is stored with everything needed to run it
 * later.
 */
export function toCallStart(facts: CallFacts, opening: CallOpening): CallStart {
  const { caller, contract } = facts
  const runsNow = opening.status === 'running'
  const start: CallStart = {
    callId: facts.callId,
    tenant: caller.tenant,
    tool: contract.name,
    toolVersion: facts.toolVersion,
    status: opening.status,
    input: facts.input,
    agent: caller.agent,
    principal: caller.principal,
    runtime: caller.runtime,
    sessionId: caller.sessionId,
    parentId: facts.parentId,
    purpose: facts.purpose,
    undoes: facts.undoes,
    ...(facts.rerun && { rerun: facts.rerun }),
    position: facts.position,
    askedDigest: facts.askedDigest,
    groupId: facts.groupId,
    rawInput: facts.rawInput,
    preparedInput: facts.preparedInput,
    // A read may have to wait halfway for a call it makes, and then runs later, too.
    parents: caller.parents,
    skill: caller.skill,
    permissions: caller.permissions,
    onBehalfOf: caller.onBehalfOf,
    attempt: runsNow ? 1 : 0,
    execution: executionOf(facts, runsNow),
    isRepeatable: isRepeatable(contract),
    ...(facts.isResumable && { isResumable: true }),
    ...(facts.step && toStepStart(facts.step, opening)),
    ...(facts.isPinned && { isPinned: true }),
    ...(facts.isTrial && { isTrial: true }),
    ...(facts.depth !== undefined && { depth: facts.depth }),
    timeoutMs: facts.timeoutMs,
    decision: facts.decision,
    requestedAt: facts.requestedAt,
    startedAt: runsNow ? facts.requestedAt : undefined,
    idempotencyKey: facts.idempotencyKey,
    events: [requested(facts), ...asking(facts, opening), followUp(facts, opening)],
  }
  if (opening.status === 'running') return start
  const { status: _status, ...more } = opening
  const isAsked = 'approval' in opening && caller.person !== undefined
  return { ...start, ...more, ...(isAsked && { person: caller.person }) }
}

/** A step that runs at once reports its end to its parent by itself. */
function toStepStart(
  { key, isItem, itemCount }: StepFacts,
  { status }: CallOpening,
): Partial<CallStart> {
  const start: Partial<CallStart> = { stepKey: key }
  if (isItem) start.isItem = true
  if (itemCount !== undefined) start.itemCount = itemCount
  // Its parent continues for each answer of a person, but not for each item that a node has run.
  if (status !== 'running') start.parentWake = isItem && status === 'queued' ? 1 : stepWake
  return start
}

function executionOf({ contract }: CallFacts, runsNow: boolean): CallStart['execution'] {
  if (contract.execution === 'external') return 'external'
  return runsNow ? 'inline' : 'background'
}

function requested(facts: CallFacts): NewEvent {
  const data: EventPayloads['call.requested'] = {
    tool: facts.contract.name,
    effect: facts.contract.effect,
    runtime: facts.caller.runtime,
    decision: decisionAsJson(facts.decision),
    ...inlined('input', facts.input),
  }
  const { onBehalfOf } = facts.caller
  if (onBehalfOf !== undefined) data.onBehalfOf = `${onBehalfOf.kind}:${onBehalfOf.id}`
  if (facts.parentId !== undefined) data.parentId = facts.parentId
  if (facts.purpose !== undefined) data.purpose = facts.purpose
  if (facts.undoes !== undefined) data.undoes = facts.undoes
  addRerun(data, facts.rerun)
  if (facts.step !== undefined) data.step = facts.step.key
  if (facts.caller.skill !== undefined) data.skill = facts.caller.skill
  if (facts.idempotencyKey !== undefined) data.idempotencyKey = facts.idempotencyKey
  return { type: 'call.requested', at: facts.requestedAt, data }
}

function addRerun(data: EventPayloads['call.requested'], rerun: Rerun | undefined): void {
  if (rerun === undefined) return
  data.rerunOf = rerun.of
  if (rerun.from !== undefined) data.rerunFrom = rerun.from
}

/** The call stores the full decision; the log spells out only unusual ones. */
function decisionAsJson({ verdict, layer, rule }: Decision) {
  const isOrdinary = verdict === 'allow' && layer !== 'remembered'
  return isOrdinary ? { verdict } : { verdict, layer, rule }
}

function asking({ requestedAt }: CallFacts, opening: CallOpening): NewEvent[] {
  if (opening.status !== 'waiting' || opening.approval === undefined) return []
  const { id, reasons, needed, expiresAt } = opening.approval
  const until = new Date(expiresAt).toISOString()
  const data = { approvalId: id, reasons: [...reasons], needed, expiresAt: until }
  return [{ type: 'approval.requested', at: requestedAt, data }]
}

function followUp(facts: CallFacts, opening: CallOpening): NewEvent {
  const at = facts.requestedAt
  if (opening.status === 'running') return { type: 'call.started', at, data: { attempt: 1 } }
  if (opening.status === 'waiting') {
    return { type: 'call.waiting', at, data: { for: opening.waitingFor } }
  }
  const { startAt, priority } = opening.work
  const data: EventPayloads['call.queued'] = {}
  if (startAt !== undefined) data.startAt = new Date(startAt).toISOString()
  if (priority !== 0) data.priority = priority
  return { type: 'call.queued', at, data }
}

interface SettlementDetails {
  /** By the same clock as the request; otherwise the duration would be wrong. */
  settledAt: number
  log: Readonly<Record<string, JsonValue>>
  attempt?: number
  hadJob?: boolean
  /** For a call that ran: for its price. */
  contract?: Pick<ToolContract, 'cost'>
  /** The cost it reported. */
  reported?: number
  /** Usage of the models it has called. */
  usage?: TurnUsage | undefined
  /** It never ran, because it was not allowed. */
  isDenied?: boolean
}

/** The last record of a call that ran. */
export function toSettlement(
  facts: Pick<CallFacts, 'callId' | 'caller' | 'requestedAt' | 'purpose' | 'undoes'>,
  finished: FinishedOutput,
  details: SettlementDetails,
): Settlement {
  const { settledAt } = details
  const status = details.isDenied === true ? 'denied' : statusOf(finished.error)
  const cost = costOf(status, details.contract, details.reported)
  return {
    callId: facts.callId,
    tenant: facts.caller.tenant,
    status,
    output: finished.output,
    error: finished.error,
    artifact: finished.artifact,
    warnings: finished.warnings.length > 0 ? finished.warnings : undefined,
    cost: cost > 0 ? cost : undefined,
    settledAt,
    attempt: details.attempt,
    hadJob: details.hadJob,
    events: [
      toEndEvent(status, finished, { ...details, ...facts, cost }),
      ...undone(status, facts.undoes, settledAt),
    ],
  }
}

/** In the transaction that completes the undo, so that neither is there without the other. */
function undone(status: string, undoes: string | undefined, at: number): NewEvent[] {
  if (undoes === undefined || status !== 'completed') return []
  return [{ type: 'call.undone', at, data: { undoes } }]
}

function toEndEvent(
  status: Settlement['status'],
  { error, output, warnings, artifact }: FinishedOutput,
  details: SettlementDetails & Pick<CallFacts, 'requestedAt' | 'purpose'> & { cost: number },
): NewEvent {
  const { settledAt: at, requestedAt, cost, usage, log } = details
  const data: EventPayloads['call.completed'] = { durationMs: at - requestedAt }
  if (output !== undefined) Object.assign(data, inlined('output', output))
  if (warnings.length > 0) data.warnings = [...warnings]
  if (artifact !== undefined) data.artifact = { ...artifact }
  if (cost > 0) data.cost = cost
  if (details.purpose !== undefined) data.purpose = details.purpose
  if (usage !== undefined) {
    // Same shape as for turns: the cost is stored beside it.
    const { cost: _, ...used } = usage
    data.usage = used
  }
  if (Object.keys(log).length > 0) data.log = { ...log }
  if (status === 'completed' || error === undefined) return { type: 'call.completed', at, data }
  return { type: `call.${status}`, at, data: { ...data, error: errorAsJson(error) } }
}

function statusOf(error: CallError | undefined): Settlement['status'] {
  if (error === undefined) return 'completed'
  return error.code === 'cancelled' ? 'cancelled' : 'failed'
}

/** The settlement as its caller gets it. */
export function toResult(settlement: Settlement): CallResult {
  const result: CallResult = { callId: settlement.callId, status: settlement.status }
  if (settlement.output !== undefined) result.output = settlement.output
  if (settlement.error !== undefined) result.error = settlement.error
  if (settlement.artifact !== undefined) result.artifact = settlement.artifact
  if (settlement.warnings !== undefined) result.warnings = settlement.warnings
  return result
}

function errorAsJson(error: CallError) {
  return { code: error.code, message: error.message, retryable: error.retryable }
}

/** The form of a value in an event: itself if small, otherwise its size. */
export function inlined<K extends 'input' | 'output'>(key: K, value: JsonValue): Inlined<K> {
  if (roomAfter(value, inlineChars) >= 0) return { [key]: value } as Inlined<K>
  return { [`${key}Bytes`]: utf8Length(JSON.stringify(value)) } as Inlined<K>
}

type Inlined<K extends string> = { [P in K]?: JsonValue } & { [P in `${K}Bytes`]?: number }

/** Roughly the space left after the value; stops counting at zero. */
function roomAfter(value: JsonValue, room: number): number {
  if (typeof value === 'string') return room - value.length
  if (typeof value !== 'object' || value === null) return room - 4
  let left = room
  for (const key of Object.keys(value)) {
    if (left < 0) return left
    const part = (value as Record<string, JsonValue>)[key] as JsonValue
    left = roomAfter(part, left - key.length - 4)
  }
  return left
}
