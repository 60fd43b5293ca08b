/** Where JSON stops being JSON: offset from 0, line and column from 1. */
export interface JsonFault {
  position: number
  line: number
  column: number
  expected: string
}

const quote = 0x22
const backslash = 0x5c

/**
 * True when brackets nest deeper than `limit`. Reads the text once and stops at the first that is
 * too deep, so that nothing recursive ever meets such a value. Brackets in strings do not count.
 */
export function isNestedDeeperThan(text: string, limit: number): boolean {
  // Every level needs an opening and a closing bracket.
  if (text.length < 2 * (limit + 1)) return false
  let depth = 0
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    if (code === quote) i = endOfString(text, i)
    else if (code === 0x5b || code === 0x7b) {
      depth += 1
      if (depth > limit) return true
    } else if (code === 0x5d || code === 0x7d) depth -= 1
  }
  return false
}

/** The offset of the quote that ends the string which begins at `start`, or the text's length. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    if (code === backslash) i += 1
    else if (code === quote) return i
  }
  return text.length
}

const whitespace = /[ \t\n\r]*/y
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/**
 * Finds where a text breaks the rules of JSON; undefined when it does not. The engine's own message
 * names no position for some mistakes and quotes the input, which may hold a secret. Only read
 * after JSON.parse has refused, so it is written for clarity; it keeps its own stack.
 */
export function findJsonFault(text: string): JsonFault | undefined {
  const open: Bracket[] = []
  let at: number | JsonFault = skip(whitespace, text, 0)
  while (typeof at === 'number') {
    const bracket = openingBracket(text, at)
    if (bracket !== undefined) {
      // The next turn reads its first value.
      open.push(bracket)
      const inside = skip(whitespace, text, at + 1)
      at = bracket === '[' ? inside : readKey(text, inside)
      continue
    }
    const end = readValue(text, at)
    at = typeof end === 'number' ? readAfterValue(text, end, open) : end
    if (open.length > 0 || typeof at !== 'number') continue
    return at < text.length ? fault(text, at, 'the end') : undefined
  }
  return at
}

type Bracket = '[' | '{'

const emptyList = /[[{][ \t\n\r]*[\]}]/y

/** The bracket that opens a list or object with something in it. */
function openingBracket(text: string, at: number): Bracket | undefined {
  const char = text[at]
  if (char !== '[' && char !== '{') return undefined
  return isEmptyPair(text, at) ? undefined : char
}

function isEmptyPair(text: string, at: number): boolean {
  const closing = text[skip(whitespace, text, at + 1)]
  return closing === (text[at] === '[' ? ']' : '}')
}

/** Reads a text, a number, a word, or an empty list or object. */
function readValue(text: string, at: number): number | JsonFault {
  const char = text[at]
  if (char === '"') return readString(text, at)
  return char === '[' || char === '{' ? skip(emptyList, text, at) : readScalar(text, at)
}

/** Closes what ends here, and goes to where the next value begins. */
function readAfterValue(text: string, from: number, open: Bracket[]): number | JsonFault {
  let at = skip(whitespace, text, from)
  for (let inner = open.at(-1); inner !== undefined; inner = open.at(-1)) {
    const closing = inner === '[' ? ']' : '}'
    if (text[at] === ',') {
      const next = skip(whitespace, text, at + 1)
      return inner === '[' ? next : readKey(text, next)
    }
    if (text[at] !== closing) return fault(text, at, `, or ${closing}`)
    open.pop()
    at = skip(whitespace, text, at + 1)
  }
  return at
}

/** Reads `"key":` and answers where its value begins. */
function readKey(text: string, at: number): number | JsonFault {
  if (text[at] !== '"') return fault(text, at, 'a key in double quotes')
  const end = readString(text, at)
  if (typeof end !== 'number') return end
  const colon = skip(whitespace, text, end)
  return text[colon] === ':' ? skip(whitespace, text, colon + 1) : fault(text, colon, 'a colon')
}

function readScalar(text: string, at: number): number | JsonFault {
  const end = skip(scalar, text, at)
  return end === at ? fault(text, at, 'a value') : end
}

// A loop, not one pattern: a pattern over a megabyte of escapes overflows the engine's stack.
function readString(text: string, start: number): number | JsonFault {
  let at = start + 1
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === quote) return at + 1
    if (code < 0x20) return fault(text, at, 'an escape for this control character')
    if (code === backslash) {
      const end = skip(escape, text, at)
      if (end === at) return fault(text, at, 'a known escape')
      at = end
    } else at += 1
  }
  return fault(text, at, 'the closing quote of a string')
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

function fault(text: string, position: number, expected: string): JsonFault {
  const before = text.slice(0, position)
  const line = before.split('\n').length
  return { position, line, column: position - before.lastIndexOf('\n'), expected }
}
