import type { JsonValue } from '../../api/json.ts'

const longest = 140

/** A one-line summary that tells similar values apart: `ids: note_a, note_b · cascade: true`. */
export function summarizeBriefly(value: JsonValue): string {
  const text = isObject(value)
    ? Object.entries(value)
        .map(([name, inner]) => `${name}: ${formatConstant(inner)}`)
        .join(' · ')
    : formatConstant(value)
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}

function formatConstant(value: JsonValue): string {
  if (typeof value === 'string') return value.replaceAll(/\s+/g, ' ').slice(0, longest)
  if (Array.isArray(value) && value.length > 0 && value.every((one) => typeof one !== 'object')) {
    return value.slice(0, 20).map(formatConstant).join(', ')
  }
  if (typeof value !== 'object' || value === null) return String(value)
  const size = Array.isArray(value) ? value.length : Object.keys(value).length
  if (size === 0) return 'none'
  return Array.isArray(value) ? `${size} items` : `${size} fields`
}

function isObject(value: JsonValue): value is { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
