import type { JsonValue } from '../../../core/kernel/json.ts'
import { isRecord } from '../../../core/kernel/json/json-type.ts'

/** One tool to run, as a person wrote it. */
export interface Instruction {
  tool: string
  input: Record<string, JsonValue>
  /** The text after `with` if it could not be parsed. */
  unread?: string
}

const order = /\b(?:run|call|use)\s+([a-zA-Z_][\w.:-]*[\w])(?:\s+with\b)?/gi

/**
 * Reads "run calc.roi with {…} and time.now, then run mail.send with to=a@b.c": passes in order, each
 * with the tools that are run together. `then`, a line break or a semicolon begins the next pass.
 */
export function readInstructions(text: string): Instruction[][] {
  const passes: Instruction[][] = []
  let end = 0
  for (const match of text.matchAll(order)) {
    // Words inside the input of the tool before are not orders.
    if (match.index < end) continue
    const before = text.slice(end, match.index)
    const at = match.index + match[0].length
    const { input, length, unread } = readInput(text.slice(at))
    end = at + length
    const instruction = { tool: match[1] ?? '', input, ...(unread !== undefined && { unread }) }
    const isNext = passes.length === 0 || /\bthen\b|[\n;]/i.test(before)
    if (isNext) passes.push([instruction])
    else passes.at(-1)?.push(instruction)
  }
  return passes
}

interface ReadInput {
  input: Record<string, JsonValue>
  length: number
  unread?: string
}

function readInput(text: string): ReadInput {
  const open = /^\s*\{/.exec(text)
  if (open === null) return readPairs(text)
  const start = open[0].length - 1
  const length = findEnd(text, start)
  const json = text.slice(start, length)
  try {
    const value: unknown = JSON.parse(json)
    if (isRecord(value)) return { input: value as Record<string, JsonValue>, length }
  } catch {
    // Reported below.
  }
  return { input: {}, length, unread: json.slice(0, 200) }
}

/** Behind the brace that closes the first one; text in quotes does not count. */
function findEnd(text: string, start: number): number {
  let depth = 0
  let isQuoted = false
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at]
    if (isQuoted && sign === '\\') at += 1
    else if (sign === '"') isQuoted = !isQuoted
    else if (!isQuoted && sign === '{') depth += 1
    else if (!isQuoted && sign === '}') {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return text.length
}

const pair = /^[\s,]*([a-zA-Z_]\w*)\s*[=:]\s*("(?:[^"\\]|\\.)*"|[^\s,;]+)/

function readPairs(text: string): ReadInput {
  const input: Record<string, JsonValue> = {}
  let length = 0
  for (;;) {
    const match = pair.exec(text.slice(length))
    if (match === null) return { input, length }
    const [whole, key = '', value = ''] = match
    input[key] = readValue(value.replace(/[.!?]$/, ''))
    length += whole.length
  }
}

function readValue(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return text
  }
}
