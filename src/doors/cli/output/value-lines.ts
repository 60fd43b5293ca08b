import { contentLines, isContentOutput } from '../../../core/kernel/content.ts'
import type { JsonValue, OutputSection } from '../../../core/kernel/tool.ts'
import { toSafeLine, toSafeText } from './safe-text.ts'
import type { Style } from './screen.ts'
import { toTableLines } from './table.ts'
import { pad, widthOf } from './text-width.ts'

export interface ValueLook {
  width: number
  style: Style
}

type JsonObject = { [key: string]: JsonValue }

/** Beyond this depth or this many columns people read JSON more easily than a layout. */
const maxDepth = 3
const maxColumns = 12

/** An output for people: its sections as the tool named them, then whatever no section shows. */
export function toOutputLines(
  output: JsonValue,
  sections: readonly OutputSection[],
  look: ValueLook,
): string[] {
  if (isContentOutput(output)) {
    const { $structured } = output
    if ($structured !== undefined) return toOutputLines($structured, sections, look)
    return contentLines(output).map((line) => toSafeLine(line))
  }
  if (!isObject(output)) return toValueLines(output, look)
  const shown = sections.filter(({ key }) => Object.hasOwn(output, key))
  const lines = shown.flatMap(({ key, label, type }) => [
    look.style('bold', toSafeLine(label)),
    ...toSectionLines(output[key] ?? null, type, look),
    '',
  ])
  const keys = new Set(shown.map(({ key }) => key))
  const others = Object.entries(output).filter(([key, value]) => !keys.has(key) && isTold(value))
  // Beside the sections, unset values are left out.
  const rest = Object.fromEntries(shown.length === 0 ? Object.entries(output) : others)
  if (shown.length === 0 || Object.keys(rest).length > 0) lines.push(...toValueLines(rest, look))
  while (lines.at(-1) === '') lines.pop()
  return lines
}

function isTold(value: JsonValue): boolean {
  return value !== null && value !== ''
}

/** Any value for people: text as text, a flat list of objects as a table, an object as a summary. */
export function toValueLines(value: JsonValue, look: ValueLook, depth = 0): string[] {
  if (typeof value === 'string') return toSafeText(value).split('\n')
  if (value === null || typeof value !== 'object') return [String(value)]
  if (depth >= maxDepth) return toJsonLines(value)
  if (Array.isArray(value)) return toListLines(value, look, depth)
  return toSummaryLines(value, look, depth)
}

/** `netPresentValue` and `net_present_value` as people write it. */
export function toLabel(key: string): string {
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .trim()
  const label = /^[A-Z0-9 ]+$/.test(words) ? words : words.toLowerCase()
  return toSafeLine(label === '' ? key : label.charAt(0).toUpperCase() + label.slice(1))
}

function toSectionLines(value: JsonValue, type: OutputSection['type'], look: ValueLook): string[] {
  if (type === 'json') return toJsonLines(value)
  if (type === 'image') return [describeImage(value)]
  if (value === '') return [look.style('dim', '(empty)')]
  if (typeof value === 'string') return toValueLines(value.replace(/\n$/, ''), look)
  return toValueLines(value, look)
}

/** A terminal shows no pictures: describe them instead of filling the screen with base64. */
function describeImage(value: JsonValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const isAddress = /^https?:/.test(text) && text.length < 2_000
  return isAddress ? toSafeLine(text) : `(image, ${text.length} characters; use --json)`
}

function toListLines(items: readonly JsonValue[], look: ValueLook, depth: number): string[] {
  if (items.length === 0) return [look.style('dim', '(none)')]
  if (items.every(isFlatObject)) {
    const keys = [...new Set(items.flatMap((item) => Object.keys(item)))]
    if (keys.length > 0 && keys.length <= maxColumns) return toRecordTable(items, keys, look)
  }
  return items.flatMap((item) => {
    const [first = '', ...rest] = toValueLines(item, look, depth + 1)
    return [`- ${first}`, ...rest.map((line) => `  ${line}`)]
  })
}

function toRecordTable(
  items: readonly JsonObject[],
  keys: readonly string[],
  look: ValueLook,
): string[] {
  const columns = keys.map((key) => {
    const isNumeric = items.every((item) => item[key] == null || typeof item[key] === 'number')
    return {
      title: toLabel(key),
      align: isNumeric ? ('right' as const) : ('left' as const),
      shrinkTo: 8,
    }
  })
  const rows = items.map((item) => keys.map((key) => toCell(item[key])))
  return toTableLines({ columns, rows, width: look.width }, (text) => look.style('dim', text))
}

function toSummaryLines(value: JsonObject, look: ValueLook, depth: number): string[] {
  const entries = Object.entries(value)
  if (entries.length === 0) return [look.style('dim', '(empty)')]
  const flat = entries.filter(([, item]) => isFlat(item))
  const left = Math.max(0, ...flat.map(([key]) => widthOf(toLabel(key))))
  const lines = flat.flatMap(([key, item]) => toPairLines(key, item, { ...look, left }))
  for (const [key, item] of entries.filter(([, one]) => !isFlat(one))) {
    lines.push(look.style('bold', toLabel(key)))
    const inner = toValueLines(item, { ...look, width: look.width - 2 }, depth + 1)
    lines.push(...inner.map((line) => `  ${line}`))
  }
  return lines
}

function toPairLines(key: string, item: JsonValue, look: ValueLook & { left: number }): string[] {
  const label = look.style('dim', pad(toLabel(key), look.left))
  const text = typeof item === 'string' ? toSafeText(item).replace(/\n$/, '') : toCell(item)
  if (!text.includes('\n')) return [`${label}  ${text}`.trimEnd()]
  return [look.style('dim', toLabel(key)), ...text.split('\n').map((line) => `  ${line}`)]
}

function toCell(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '–'
  if (Array.isArray(value)) return value.map(toCell).join(', ')
  return typeof value === 'string' ? toSafeLine(value) : toSafeLine(JSON.stringify(value))
}

function toJsonLines(value: JsonValue): string[] {
  return toSafeText(JSON.stringify(value, null, 2)).split('\n')
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isFlatObject(value: JsonValue): value is JsonObject {
  return isObject(value) && Object.values(value).every(isFlat)
}

/** Fits on the line of its label: a scalar, or a short list of them. */
function isFlat(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length <= 8 && value.every((item) => !isContainer(item))
  return !isContainer(value)
}

function isContainer(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null
}
