import { expandBraces } from './expand-braces.ts'
import { badGlob } from './glob-error.ts'

/** True for a path, relative and with `/` between its parts, that the pattern matches. */
export type PathGlob = (path: string) => boolean

const longest = 1024
const mostParts = 64

/** One character of a name, or any number of them. */
type Token = 'star' | ((char: string) => boolean)

/** One name of a path, or any number of folders. */
type Segment = 'folders' | { tokens: readonly Token[]; literal: string | undefined }

/**
 * Compiles `*`, `?`, `[…]`, `**` and `{a,b}`; `\` takes the meaning from the next character. No
 * pattern can make it slow: a star that has to take more never goes back beyond the last star.
 */
export function compilePathGlob(pattern: string): PathGlob {
  if (pattern.length > longest) throw badGlob(pattern, `is longer than ${longest} characters`)
  if (pattern.startsWith('/')) throw badGlob(pattern, 'is absolute')
  if (pattern === '') throw badGlob(pattern, 'is empty')
  const patterns = expandBraces(pattern).map((one) => toSegments(one, pattern))
  return (path) => {
    const names = path.split('/')
    return patterns.some((segments) => matches(segments, names, matchesSegment))
  }
}

function toSegments(text: string, pattern: string): Segment[] {
  const parts = text.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.length > mostParts) throw badGlob(pattern, `has more than ${mostParts} parts`)
  if (parts.includes('..')) throw badGlob(pattern, 'leads out of the folder')
  const segments = parts.map((part): Segment => {
    if (part === '**') return 'folders'
    const isLiteral = !/[*?[\\]/.test(part)
    return { tokens: toTokens(part, pattern), literal: isLiteral ? part : undefined }
  })
  // `a/**` is what is in a, not a itself.
  if (segments.at(-1) === 'folders') segments.push({ tokens: ['star'], literal: undefined })
  return segments
}

function toTokens(part: string, pattern: string): Token[] {
  const chars = [...part]
  const tokens: Token[] = []
  for (let at = 0; at < chars.length; at += 1) {
    const char = chars[at] ?? ''
    if (char === '*') {
      if (tokens.at(-1) !== 'star') tokens.push('star')
    } else if (char === '?') tokens.push(() => true)
    else if (char === '[') {
      const { token, end } = toClass(chars, at, pattern)
      tokens.push(token)
      at = end
    } else {
      const isEscape = char === '\\' && at + 1 < chars.length
      if (isEscape) at += 1
      const wanted = isEscape ? chars[at] : char
      tokens.push((one) => one === wanted)
    }
  }
  return tokens
}

/** The class that opens here. A `]` right after the opening is a member of it. */
function toClass(chars: readonly string[], from: number, pattern: string) {
  const isNegated = chars[from + 1] === '!' || chars[from + 1] === '^'
  const ranges: [string, string][] = []
  const first = from + (isNegated ? 2 : 1)
  for (let at = first; at < chars.length; at += 1) {
    if (chars[at] === ']' && at > first) {
      const holds = (char: string) => ranges.some(([low, high]) => low <= char && char <= high)
      return { token: (char: string) => holds(char) !== isNegated, end: at }
    }
    const low = chars[chars[at] === '\\' ? (at += 1) : at] ?? ''
    const high = chars[at + 2]
    if (chars[at + 1] === '-' && high !== undefined && high !== ']') {
      ranges.push([low, high])
      at += 2
    } else ranges.push([low, low])
  }
  throw badGlob(pattern, 'has a [ without its ]')
}

function matchesSegment(segment: Exclude<Segment, 'folders'>, name: string): boolean {
  if (segment.literal !== undefined) return segment.literal === name
  return matches(segment.tokens, [...name], (token, char) => token(char))
}

/**
 * Matches steps against items; a text among the steps takes any number of items. Going back to the
 * last of them is enough, because whatever the ones before it took, it could take as well.
 */
function matches<Step extends object, Item>(
  steps: readonly (Step | string)[],
  items: readonly Item[],
  isMatch: (step: Step, item: Item) => boolean,
): boolean {
  let [step, item] = [0, 0]
  let back: { step: number; item: number } | undefined
  while (item < items.length) {
    const wanted = steps[step]
    if (typeof wanted === 'string') {
      back = { step, item }
      step += 1
    } else if (wanted !== undefined && isMatch(wanted, items[item] as Item)) {
      step += 1
      item += 1
    } else if (back === undefined) return false
    else {
      back.item += 1
      step = back.step + 1
      item = back.item
    }
  }
  return steps.slice(step).every((wanted) => typeof wanted === 'string')
}
