import { RE2JS } from 're2js'
import { ownValue } from '../../kernel/json/json-type.ts'

/** A pattern that never takes more than linear time. */
export interface Pattern {
  test(text: string): boolean
  /** The size of its program: matching takes about this many steps per character. */
  readonly size: number
}

/**
 * Tables of Unicode classes make compiling cost up to 50 µs per character; this keeps it under 50
 * ms.
 */
export const maxPatternLength = 1000

/** JavaScript's longer names of the most common classes; RE2 knows only the short ones. */
const longClassNames: Readonly<Record<string, string>> = {
  Letter: 'L',
  Lowercase_Letter: 'Ll',
  Uppercase_Letter: 'Lu',
  Mark: 'M',
  Number: 'N',
  Decimal_Number: 'Nd',
  Punctuation: 'P',
  Symbol: 'S',
  Separator: 'Z',
  Space_Separator: 'Zs',
  Control: 'Cc',
}

const compiled = new Map<string, Pattern>()
const maxKept = 1000

/** Compiles a schema's `pattern` with RE2. Throws an Error that names the unsupported syntax. */
export function compilePattern(source: string): Pattern {
  const kept = compiled.get(source)
  if (kept) return kept
  if (source.length > maxPatternLength) {
    throw new Error(`it is longer than ${maxPatternLength} characters`)
  }
  const pattern = toPattern(source)
  // Drops the oldest: the table is a convenience, and foreign schemas must not make it grow
  // forever.
  if (compiled.size >= maxKept) compiled.delete(compiled.keys().next().value ?? '')
  compiled.set(source, pattern)
  return pattern
}

function toPattern(source: string): Pattern {
  const translated = RE2JS.translateRegExp(toRe2Names(source))
  const regex = RE2JS.compile(translated)
  return { test: (text) => regex.test(text), size: regex.programSize() }
}

function toRe2Names(source: string): string {
  return source.replace(
    /\\(p|P)\{(?:(?:Script|sc|General_Category|gc)=)?(\w+)\}/g,
    (_, letter: string, name: string) => `\\${letter}{${ownValue(longClassNames, name) ?? name}}`,
  )
}
