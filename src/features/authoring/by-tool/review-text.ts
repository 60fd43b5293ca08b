import type { JsonValue } from '../../../core/kernel/json.ts'
import { isRecord } from '../../../core/kernel/json/json-type.ts'

/**
 * A document for review: JSON, in which texts of several lines are shown as lines. Invisible
 * characters are escaped, so that nothing in it is hidden from the reviewer.
 */
export function toReviewText(document: JsonValue): string {
  return `${write(document, '')}\n`
}

function write(value: JsonValue, indent: string): string {
  const inner = `${indent}  `
  if (typeof value === 'string') return writeText(value, inner)
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]'
    return `[\n${value.map((item) => `${inner}${write(item, inner)}`).join(',\n')}\n${indent}]`
  }
  if (!isRecord(value)) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([key, item]) => `${inner}${escape(JSON.stringify(key))}: ${write(item, inner)}`,
  )
  return members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n${indent}}`
}

function writeText(text: string, indent: string): string {
  if (!text.includes('\n')) return escape(JSON.stringify(text))
  const lines = text.split('\n').map((line) => `${indent}${escape(line)}`)
  return `|\n${lines.join('\n')}`
}

/** Control characters, and everything that is drawn as nothing or turns the direction of text. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

function escape(text: string): string {
  return text.replaceAll(unseen, (sign) =>
    sign === '\t' ? sign : `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`,
  )
}
