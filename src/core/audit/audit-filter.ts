import type { CribEvent, EventType } from '../events/event.ts'
import { fieldsOf } from '../events/fields-of.ts'
import type { Decision } from '../kernel/call.ts'
import { isRecord } from '../kernel/json/json-type.ts'

/** The filters of an audit; an absent filter matches everything. */
export interface AuditFilter {
  /** `kind:id`, or an id of any kind; also matches actions on their behalf. */
  principal?: string
  types?: readonly EventType[]
  tool?: string
  agent?: string
  sessionId?: string
  callId?: string
  /** The decision that was recorded with the request. */
  verdict?: Decision['verdict']
  layer?: string
  fromMs?: number
  /** Exclusive. */
  toMs?: number
  /** Searched in the event's data; ASCII letters match regardless of case. */
  text?: string
}

/** An event with its tool and the name of its principal, if known. */
export type AuditEntry = CribEvent & {
  tool?: string
  principalName?: string
}

/** True if an event matches the filter. */
export function fitsAudit(entry: AuditEntry, filter: AuditFilter): boolean {
  return tests.every((fits) => fits(entry, filter))
}

const tests: readonly ((entry: AuditEntry, filter: AuditFilter) => boolean)[] = [
  ({ type }, { types }) => types === undefined || types.includes(type),
  ({ tool }, filter) => filter.tool === undefined || tool === filter.tool,
  ({ agent }, filter) => filter.agent === undefined || agent === filter.agent,
  ({ sessionId }, filter) => filter.sessionId === undefined || sessionId === filter.sessionId,
  ({ callId }, filter) => filter.callId === undefined || callId === filter.callId,
  ({ at }, { fromMs }) => fromMs === undefined || Date.parse(at) >= fromMs,
  ({ at }, { toMs }) => toMs === undefined || Date.parse(at) < toMs,
  (entry, { verdict }) => verdict === undefined || decisionOf(entry).verdict === verdict,
  (entry, { layer }) => layer === undefined || decisionOf(entry).layer === layer,
  ({ data }, { text }) =>
    text === undefined || toSmall(JSON.stringify(data)).includes(toNeedle(text)),
  (entry, { principal }) => principal === undefined || isBy(entry, principal),
]

/** The text in its JSON form, in lower case. */
export function toNeedle(text: string): string {
  return toSmall(JSON.stringify(text).slice(1, -1))
}

/** ASCII letters only: databases disagree about the others. */
function toSmall(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** The tool of an event that is not about a call. */
export function toolOfEvent(event: { type: EventType; data: unknown }): string | undefined {
  const fields = fieldsOf(event)
  const tool = fields.tool ?? (event.type.startsWith('tool.') ? fields.name : undefined)
  return typeof tool === 'string' ? tool : undefined
}

function isBy(entry: AuditEntry, wanted: string): boolean {
  const { kind, id } = entry.principal
  const name = `${kind}:${id}`
  const behalf = fieldsOf(entry).onBehalfOf
  const names = typeof behalf === 'string' ? [name, behalf] : [name]
  return names.some((one) => one === wanted || one.slice(one.indexOf(':') + 1) === wanted)
}

function decisionOf(entry: AuditEntry): Partial<Decision> {
  const { decision } = fieldsOf(entry)
  return isRecord(decision) ? decision : {}
}
