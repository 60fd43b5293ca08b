import { badGlob } from './glob-error.ts'

const mostAlternatives = 64

/** Every pattern that the braces of a pattern stand for. Throws for too many, and for an open one. */
export function expandBraces(pattern: string): string[] {
  let done: string[] = ['']
  for (let at = 0; at < pattern.length;) {
    const char = pattern[at] ?? ''
    const isGroup = char === '{'
    const end = isGroup ? closeOf(pattern, at) : at + (char === '\\' ? 2 : 1)
    const options = isGroup
      ? splitGroup(pattern, at + 1, end).flatMap(expandBraces)
      : [pattern.slice(at, end)]
    if (done.length * options.length > mostAlternatives) {
      throw badGlob(pattern, `stands for more than ${mostAlternatives} patterns`)
    }
    done = done.flatMap((one) => options.map((option) => one + option))
    at = isGroup ? end + 1 : end
  }
  return done
}

/** Where the group that opens here closes. */
function closeOf(pattern: string, from: number): number {
  let depth = 0
  for (let at = from; at < pattern.length; at += 1) {
    const char = pattern[at]
    if (char === '\\') at += 1
    else if (char === '{') depth += 1
    else if (char === '}') depth -= 1
    if (depth === 0) return at
  }
  throw badGlob(pattern, 'has a { without its }')
}

/** The alternatives between two places, by the commas that are in no inner group. */
function splitGroup(pattern: string, from: number, end: number): string[] {
  const parts: string[] = []
  let depth = 0
  let start = from
  for (let at = from; at < end; at += 1) {
    const char = pattern[at]
    if (char === '\\') at += 1
    else if (char === '{') depth += 1
    else if (char === '}') depth -= 1
    else if (char === ',' && depth === 0) {
      parts.push(pattern.slice(start, at))
      start = at + 1
    }
  }
  return [...parts, pattern.slice(start, end)]
}
