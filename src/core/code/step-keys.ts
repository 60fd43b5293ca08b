import { canonicalJson } from '../kernel/json/canonical-json.ts'
import type { JsonValue } from '../kernel/json.ts'

/**
 * Names the calls of a program by what they are: tool, input, and how often it was made before. So a
 * program that runs again finds its calls whatever order their answers came in.
 */
export function createStepKeys(): (tool: string, input: JsonValue) => string {
  const counts = new Map<string, number>()
  return (tool, input) => {
    const call = `${tool.slice(0, 100)}#${shortHash(canonicalJson(input))}`
    const count = (counts.get(call) ?? 0) + 1
    counts.set(call, count)
    return count === 1 ? call : `${call}.${count}`
  }
}

/** 64 bits in hex: distinguishes the inputs of one program. The log compares them in full. */
function shortHash(text: string): string {
  let first = 0x811c9dc5
  let second = 0x01000193
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    first = Math.imul(first ^ unit, 0x01000193)
    second = Math.imul(second ^ unit, 0x85ebca6b) ^ (second >>> 13)
  }
  return [first, second].map((part) => (part >>> 0).toString(16).padStart(8, '0')).join('')
}
