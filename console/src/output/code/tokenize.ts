import { StringStream } from '@codemirror/streamparser'
import type { Parser } from './languages.ts'

/** A piece of a line, and what it is. */
export interface Token {
  text: string
  kind?: TokenKind
}

export type TokenKind = 'comment' | 'keyword' | 'string' | 'number' | 'name' | 'type' | 'tag'

/** A longer line is not read by anybody, and some rules look ahead from each of its characters. */
const longestLine = 2000
/** Rules that are still at work after this leave the rest plain. */
const mostMs = 250
/** Rules that neither move on nor change would otherwise be asked for ever. */
const mostIdle = 20

/**
 * The lines with their tokens. Rules are those of a stream: they see one line at a time and hand a
 * state on to the next. The text may be hostile, so time and lengths are limited, and a rule that
 * throws ends the colours and not the view.
 */
export function tokenize(
  lines: readonly string[],
  parser: Parser,
  now = performance.now,
): Token[][] {
  const tokens: Token[][] = []
  const end = now.call(performance) + mostMs
  try {
    const state = parser.startState?.(2) ?? {}
    for (const line of lines) {
      if (tokens.length % 50 === 0 && now.call(performance) > end) return tokens
      if (line.length > longestLine) return tokens
      if (line === '') parser.blankLine?.(state, 2)
      tokens.push(tokenizeLine(line, parser, state))
    }
  } catch {
    // The lines read so far keep their colours.
  }
  return tokens
}

function tokenizeLine(line: string, parser: Parser, state: unknown): Token[] {
  const stream = new StringStream(line, 4, 2)
  const tokens: Token[] = []
  let idle = 0
  while (!stream.eol()) {
    stream.start = stream.pos
    const kind = toKind(parser.token(stream, state))
    if (stream.pos === stream.start) {
      idle += 1
      if (idle > mostIdle) throw new Error('The rules do not move on')
      continue
    }
    idle = 0
    append(tokens, line.slice(stream.start, stream.pos), kind)
  }
  return tokens
}

function append(tokens: Token[], text: string, kind: TokenKind | undefined): void {
  const last = tokens.at(-1)
  if (last !== undefined && last.kind === kind) last.text += text
  else tokens.push(kind === undefined ? { text } : { text, kind })
}

const kinds: Record<string, TokenKind> = {
  comment: 'comment',
  meta: 'comment',
  keyword: 'keyword',
  operatorKeyword: 'keyword',
  controlKeyword: 'keyword',
  modifier: 'keyword',
  string: 'string',
  'string-2': 'string',
  inserted: 'string',
  regexp: 'string',
  link: 'string',
  url: 'string',
  number: 'number',
  atom: 'number',
  bool: 'number',
  null: 'number',
  unit: 'number',
  deleted: 'number',
  def: 'name',
  propertyName: 'name',
  property: 'name',
  attribute: 'name',
  attributeName: 'name',
  labelName: 'name',
  type: 'type',
  typeName: 'type',
  builtin: 'type',
  className: 'type',
  tag: 'tag',
  tagName: 'tag',
  heading: 'tag',
}

/** `variableName.definition`, `string.special`: the first word with a meaning here. Some rules return undefined. */
function toKind(style: string | null | undefined): TokenKind | undefined {
  if (style == null) return undefined
  for (const word of style.split(' ')) {
    const [base = '', ...more] = word.split('.')
    if (more.includes('definition') || more.includes('function')) return 'name'
    if (Object.hasOwn(kinds, base)) return kinds[base]
  }
  return undefined
}
