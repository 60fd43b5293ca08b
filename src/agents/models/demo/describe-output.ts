import type { JsonValue } from '../../../core/kernel/json.ts'
import { isRecord, ownValue } from '../../../core/kernel/json/json-type.ts'

const shownFields = 8
const shownEntries = 5
const longestText = 300
const longestValue = 80

type Fields = Readonly<Record<string, JsonValue>>
type Labels = Readonly<Record<string, string>>

/** A result as the rest of a sentence: the console shows all of it beside. */
export function describeOutput(value: JsonValue, labels: Labels = {}): string {
  if (Array.isArray(value)) return `returned ${describeList(value)}.`
  if (typeof value === 'string') return describeText(value)
  if (!isRecord(value)) return value === null ? 'finished.' : `returned ${String(value)}.`
  const fields = fieldsOf(value)
  if (fields.length === 0) return 'finished.'
  const shown = fields
    .slice(0, shownFields)
    .map(([key, field]) => `${ownValue(labels, key) ?? toWords(key)}: ${describeField(field)}`)
  const left = fields.length - shown.length
  return `returned ${shown.join(', ')}${left > 0 ? ` and ${counted(left, 'more field')}` : ''}.`
}

/** Single values first, those of a summary among them, then what is only counted. */
function fieldsOf(value: Fields): [key: string, value: JsonValue][] {
  const all = Object.entries(value).flatMap(([key, field]): [string, JsonValue][] =>
    isRecord(field) ? Object.entries(field as Fields) : [[key, field]],
  )
  const said = all.filter(([, field]) => field !== null)
  const isSingle = ([, field]: [string, JsonValue]) => typeof field !== 'object'
  return [...said.filter(isSingle), ...said.filter((field) => !isSingle(field))]
}

/** `yearlyBenefit` and `yearly_benefit` as people write them. */
function toWords(key: string): string {
  return key
    .replaceAll(/([a-z0-9])([A-Z])/g, (_, before: string, next: string) => `${before} ${next}`)
    .replaceAll(/[_-]+/g, ' ')
    .toLowerCase()
}

function describeText(text: string): string {
  const trimmed = text.trim()
  if (trimmed === '') return 'finished.'
  if (trimmed.length <= longestText) return `returned: ${trimmed}`
  return `returned ${text.length} characters of text, which begin: ${trimmed.slice(0, longestText)}…`
}

function describeField(value: JsonValue): string {
  if (Array.isArray(value)) return describeList(value)
  if (isRecord(value)) return counted(Object.keys(value).length, 'field')
  const text = typeof value === 'string' ? value.replaceAll(/\s+/g, ' ').trim() : String(value)
  if (text.length > longestValue) return `${text.slice(0, longestValue)}…`
  // A full stop would end the sentence that this is a part of.
  return text.replace(/\.$/, '') || 'empty'
}

function describeList(list: readonly JsonValue[]): string {
  const isTable = list.length > 0 && list.every(isRecord)
  const count = counted(list.length, isTable ? 'row' : 'entry')
  const texts = list.map(String)
  const isShort =
    list.length <= shownEntries &&
    list.every((one) => typeof one !== 'object') &&
    texts.join(', ').length <= longestValue
  return isShort && list.length > 0 ? `${count} (${texts.join(', ')})` : count
}

function counted(count: number, noun: string): string {
  if (count === 1) return `1 ${noun}`
  return `${count} ${noun === 'entry' ? 'entries' : `${noun}s`}`
}
