import type { SettledStatus } from '../kernel/call.ts'
import type { EventFrame, EventType, NewEvent } from '../events/event.ts'
import { fieldsOf, type LooseFields } from '../events/fields-of.ts'
import { isRecord } from '../kernel/json/json-type.ts'
import { utf8Length } from '../kernel/text/utf8.ts'
import type { JsonValue } from '../kernel/json.ts'
import { spanOf, toPaceSubject } from './pace.ts'
import { noUsage, toUsageDay } from './usage.ts'
import type { UsageFigures, UsageKind } from './usage.ts'

/** The part of an event that usage reads; `at` as it is read or as it is stored. */
export interface UsageEvent extends Pick<EventFrame, 'callId' | 'agent' | 'principal'> {
  at: string | number
  type: EventType
  data: unknown
}

/** An event reduced to the fields that usage reads. */
export interface UsageNote {
  at: number
  type: EventType
  data: Readonly<Record<string, JsonValue>>
}

/** An addition to the figures of one subject on one day. */
export interface UsageAddition extends UsageFigures {
  day: string
  kind: UsageKind
  subject: string
}

/** Facts about a call that its final event lacks. */
export interface UsedCall {
  tool: string
  startedMs?: number
  /** The principal its caller acted for, as `kind:id`: budgets count it for them. */
  onBehalfOf?: string
}

/** Event types that affect usage without a call. */
export const usageEventTypes: ReadonlySet<string> = new Set([
  'call.requested',
  'call.started',
  'call.queued',
  'call.waiting',
  'call.completed',
  'call.failed',
  'call.denied',
  'call.cancelled',
])

const statusOfType: Readonly<Record<string, SettledStatus>> = {
  'call.completed': 'completed',
  'call.failed': 'failed',
  'call.denied': 'denied',
  'call.cancelled': 'cancelled',
}

/**
 * The usage in a stretch of the feed. Calls that started before it are looked up by id in `known`;
 * an unknown one counts without a tool.
 */
export function foldUsage(
  events: readonly UsageEvent[],
  known: ReadonlyMap<string, UsedCall> = new Map(),
): UsageAddition[] {
  const calls = new Map(known)
  const shares = new Shares()
  for (const event of events) {
    const used = toSpent(event) ?? toUsed(event, calls)
    if (used !== undefined) shares.add(event, calls.get(event.callId ?? ''), used)
  }
  return shares.sum()
}

/**
 * The shared fields of one day's events that count for the same subjects. Most of a stretch falls
 * into one of these.
 */
interface Share {
  day: string
  who: string
  tool: string
  agent: string | undefined
  used: UsageFigures
  /** How many calls ran how long: by span. */
  paces: Map<number, number>
}

/** Adds up event after event. The previous share mostly matches, so it is tried first. */
class Shares {
  readonly #byKey = new Map<string, Share>()
  #last: Share | undefined

  add(event: UsageEvent, call: UsedCall | undefined, used: UsageFigures): void {
    const share = this.#find(event, call)
    addFigures(share.used, used)
    const hasRun =
      used.calls > 0 && statusOfType[event.type] !== undefined && call?.startedMs !== undefined
    if (!hasRun || share.tool === '') return
    const span = spanOf(used.runMs)
    share.paces.set(span, (share.paces.get(span) ?? 0) + 1)
  }

  sum(): UsageAddition[] {
    const additions = new Map<string, UsageAddition>()
    const paces = new Map<string, UsageAddition>()
    for (const share of this.#byKey.values()) {
      const { day, tool, used } = share
      for (const [kind, subject] of subjectsOf(share)) add(additions, { day, kind, subject }, used)
      for (const [span, calls] of share.paces) {
        const subject = toPaceSubject(tool, span)
        add(paces, { day, kind: 'pace', subject }, { ...noUsage, calls })
      }
    }
    return [...additions.values(), ...paces.values()]
  }

  #find({ at, agent, principal }: UsageEvent, call: UsedCall | undefined): Share {
    const day = toUsageDay(toMs(at))
    const who = call?.onBehalfOf ?? `${principal.kind}:${principal.id}`
    const tool = call?.tool ?? ''
    const last = this.#last
    if (last?.day === day && last.who === who && last.tool === tool && last.agent === agent) {
      return last
    }
    // Names of tools and agents never contain a line break.
    const key = `${day}\n${who}\n${tool}\n${agent ?? ''}`
    const share = this.#byKey.get(key) ?? {
      day,
      who,
      tool,
      agent,
      used: { ...noUsage },
      paces: new Map<number, number>(),
    }
    this.#byKey.set(key, share)
    this.#last = share
    return share
  }
}

function subjectsOf({ who, tool, agent }: Share): [UsageKind, string][] {
  const subjects: [UsageKind, string][] = [
    ['tenant', ''],
    ['principal', who],
  ]
  if (tool !== '') subjects.push(['tool', tool])
  if (agent !== undefined) subjects.push(['agent', agent])
  return subjects
}

/**
 * Reduces events to the fields of `foldUsage`, so that they can be kept: the size of an output is
 * computed now.
 */
export function toUsageNotes(events: readonly NewEvent[]): UsageNote[] {
  const notes: UsageNote[] = []
  for (const event of events) {
    const { type, at } = event
    const isUsed = usageEventTypes.has(type) || turnCosts.has(type)
    if (isUsed) {
      notes.push({ type, at, data: type === 'call.started' ? {} : toNoted(fieldsOf(event)) })
    }
  }
  return notes
}

function toNoted(data: LooseFields): Record<string, JsonValue> {
  const noted: Record<string, JsonValue> = {}
  const { tool, onBehalfOf, cost, purpose } = data
  if (tool !== undefined) noted['tool'] = tool
  if (onBehalfOf !== undefined) noted['onBehalfOf'] = onBehalfOf
  if (cost !== undefined) noted['cost'] = cost
  if (purpose !== undefined) noted['purpose'] = purpose
  const outputBytes = outputBytesOf(data)
  if (outputBytes > 0) noted['outputBytes'] = outputBytes
  return noted
}

/** One for each subject and day. */
export function sumUsage(additions: readonly UsageAddition[]): UsageAddition[] {
  const sums = new Map<string, UsageAddition>()
  for (const { day, kind, subject, ...used } of additions) add(sums, { day, kind, subject }, used)
  return [...sums.values()]
}

/**
 * Model costs are reported when the turn that caused them ends or starts to wait, which may take
 * days.
 */
const turnCosts: ReadonlySet<string> = new Set([
  'turn.waiting',
  'turn.completed',
  'turn.failed',
  'turn.cancelled',
])

function toSpent(event: UsageEvent): UsageFigures | undefined {
  const cost = turnCosts.has(event.type) ? toAmount(fieldsOf(event).cost) : 0
  return cost > 0 ? { ...noUsage, cost } : undefined
}

function toUsed(event: UsageEvent, calls: Map<string, UsedCall>): UsageFigures | undefined {
  if (event.callId === undefined || !usageEventTypes.has(event.type)) return undefined
  const data = fieldsOf(event)
  const call = calls.get(event.callId)
  const at = toMs(event.at)
  if (event.type === 'call.requested') {
    calls.set(event.callId, toRequested(data, call?.startedMs))
    return undefined
  }
  if (event.type === 'call.started') {
    const { tool = '', onBehalfOf } = call ?? {}
    calls.set(event.callId, { tool, onBehalfOf, startedMs: at })
    return undefined
  }
  return toEnded(event, data, call)
}

function toEnded(
  { type, at }: Pick<UsageEvent, 'type' | 'at'>,
  data: LooseFields<'call.completed'>,
  call: UsedCall | undefined,
): UsageFigures | undefined {
  const cost = toAmount(data.cost)
  const status = statusOfType[type]
  // A preview or test is not use of the tool, but its models cost as much as ever.
  const isUse = status !== undefined && data.purpose === undefined
  if (!isUse) return cost > 0 ? { ...noUsage, cost } : undefined
  const runMs = call?.startedMs === undefined ? 0 : Math.max(0, toMs(at) - call.startedMs)
  const figures = { ...noUsage, calls: 1, runMs, outputBytes: outputBytesOf(data), cost }
  figures[status] = 1
  return figures
}

function toRequested(
  { tool, onBehalfOf }: LooseFields<'call.requested'>,
  startedMs: number | undefined,
): UsedCall {
  return {
    tool: typeof tool === 'string' ? tool : '',
    onBehalfOf: typeof onBehalfOf === 'string' ? onBehalfOf : undefined,
    startedMs,
  }
}

/** The size of the whole output: that of the artifact, otherwise the one in the event. */
function outputBytesOf({ artifact, output, outputBytes }: LooseFields<'call.completed'>): number {
  const kept = isRecord(artifact) ? toAmount(artifact['bytes']) : 0
  if (kept > 0) return kept
  if (outputBytes !== undefined) return toAmount(outputBytes)
  return output === undefined ? 0 : utf8Length(JSON.stringify(output))
}

function add(
  additions: Map<string, UsageAddition>,
  at: Pick<UsageAddition, 'day' | 'kind' | 'subject'>,
  used: UsageFigures,
): void {
  const key = `${at.day} ${at.kind} ${at.subject}`
  const sum = additions.get(key)
  if (sum === undefined) additions.set(key, { ...at, ...used })
  else addFigures(sum, used)
}

function addFigures(sum: UsageFigures, used: UsageFigures): void {
  for (const name of figureNames) sum[name] += used[name]
}

const figureNames = Object.keys(noUsage) as (keyof UsageFigures)[]

/** Milliseconds since the epoch. */
export function toMs(at: string | number): number {
  return typeof at === 'number' ? at : Date.parse(at)
}

/** A figure is a finite number not below zero, even if the log is corrupt. */
function toAmount(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0
}
