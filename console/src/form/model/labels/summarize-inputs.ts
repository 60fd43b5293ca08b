import type { JsonValue } from '../../../api/json.ts'
import { toLabel } from './labels.ts'
import { isRecord } from '../schema.ts'

const mostFacts = 3
const longest = 60

/** Summarizes several inputs of one tool by the fields in which they differ. */
export function summarizeInputs(inputs: readonly JsonValue[]): string[] {
  const keys = [...new Set(inputs.flatMap((input) => (isRecord(input) ? Object.keys(input) : [])))]
  const differing = keys.filter(
    (key) => new Set(inputs.map((input) => textAt(input, key))).size > 1,
  )
  return inputs.map((input) => {
    if (!isRecord(input)) return describeShort(input)
    const has = (key: string) => input[key] !== undefined && input[key] !== null
    const telling = [...differing.filter(has), ...keys.filter((key) => !differing.includes(key))]
    const facts = telling
      .filter(has)
      .slice(
        0,
        differing.length > 0 ? Math.max(1, Math.min(mostFacts, differing.length)) : mostFacts,
      )
      .map((key) => `${toLabel(key)}: ${describeShort(input[key])}`)
    return facts.length === 0 ? 'Empty input' : facts.join(' · ')
  })
}

function textAt(input: JsonValue, key: string): string {
  return isRecord(input) ? (JSON.stringify(input[key]) ?? '') : ''
}

function describeShort(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value)) {
    const isPlain = value.every((item) => typeof item !== 'object')
    return isPlain
      ? cut(value.join(', '))
      : `${value.length} ${value.length === 1 ? 'item' : 'items'}`
  }
  if (!isRecord(value)) return cut(String(value))
  const named = value['name'] ?? value['title'] ?? value['label']
  return typeof named === 'string' ? cut(named) : cut(JSON.stringify(value))
}

function cut(text: string): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text
}
