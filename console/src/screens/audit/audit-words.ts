import type { Api } from '../../api/client.ts'
import { type EventFields, fieldsOf } from '../../api/event-fields.ts'
import { eventLabels } from '../../api/event-labels.ts'
import type { JsonObject, JsonValue } from '../../api/json.ts'

type Entry = Api<'AuditEntry'>

/** `secret.written` as a phrase: `Secret written`. */
export function describeAction(type: string): string {
  return eventLabels[type] ?? type
}

const targetKeys = [
  'tool',
  'name',
  'email',
  'slug',
  'agent',
  'server',
  'skill',
  'limit',
  'file',
  'keyId',
  'member',
  'invitation',
  'id',
] as const satisfies readonly (keyof EventFields)[]

/** The target of an event: the tool, or whatever else it names. */
export function describeTarget(entry: Entry): string {
  if (entry.tool !== undefined) return entry.tool
  const facts = fieldsOf(entry)
  const named = targetKeys.map((key) => facts[key]).find((value) => typeof value === 'string')
  return typeof named === 'string' ? named : (entry.callId ?? entry.sessionId ?? '')
}

const ends = ['completed', 'failed', 'denied', 'cancelled'] as const

/** How a call ended, for events that settle one. */
export function outcomeOf({ type }: Pick<Entry, 'type'>): string | undefined {
  return ends.find((end) => type === `call.${end}`)
}

/** One changed field. */
export interface FieldChange {
  field: string
  before: JsonValue | undefined
  after: JsonValue | undefined
}

/** The fields an event changed, with their values before and after; undefined if it records none. */
export function changesOf(entry: Entry): FieldChange[] | undefined {
  const facts = fieldsOf(entry)
  const [before, after] =
    'before' in facts || 'after' in facts ? [facts.before, facts.after] : [facts.from, facts.to]
  if (before === undefined && after === undefined) return undefined
  if (!isObject(before) && !isObject(after)) return [{ field: '', before, after }]
  const old = isObject(before) ? before : {}
  const now = isObject(after) ? after : {}
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((field) => JSON.stringify(old[field]) !== JSON.stringify(now[field]))
    .map((field) => ({ field, before: old[field], after: now[field] }))
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
