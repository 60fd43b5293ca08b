import { RE2JS } from 're2js'
import { ToolError } from '../../core/kernel/errors.ts'

/** A line that matches. */
export interface LineMatch {
  line: number
  text: string
}

/** Finds matching lines, piece by piece. */
export interface TextSearch {
  /** Yields after each piece of the text, so that the reader can let others work. */
  lines(text: string): Generator<LineMatch | undefined>
}

const longestPattern = 1000
/** Matching takes up to this many steps for each character. */
const largestProgram = 5000
const smallestPiece = 1024
const largestPiece = 262_144
const pieceMs = 5
const longestLine = 500

/** Compiles a pattern with RE2: none can take more than linear time. Throws `invalid_input`. */
export function createTextSearch(pattern: string, { ignoreCase = false } = {}): TextSearch {
  if (pattern.length > longestPattern) {
    throw badPattern(pattern, `it is longer than ${longestPattern} characters`)
  }
  const flags = RE2JS.MULTILINE | (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0)
  const regex = compile(pattern, flags)
  if (regex.programSize() > largestProgram) throw badPattern(pattern, 'it repeats too much')
  // It learns how much can be searched at a time: some patterns take a thousand times as long.
  const pace = { size: 16_384 }
  return { lines: (text) => searchLines(text.replaceAll('\r\n', '\n'), regex, pace) }
}

function compile(pattern: string, flags: number): RE2JS {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern), flags)
  } catch (error) {
    throw badPattern(pattern, error instanceof Error ? error.message : String(error))
  }
}

function badPattern(pattern: string, reason: string): ToolError {
  const shown = JSON.stringify(pattern.slice(0, 200))
  return new ToolError('invalid_input', `The pattern ${shown} can't be used: ${reason}`, {
    fix: 'Write it in RE2 syntax: without lookahead, lookbehind and back-references.',
  })
}

function* searchLines(
  text: string,
  regex: RE2JS,
  pace: { size: number },
): Generator<LineMatch | undefined> {
  let line = 1
  for (let from = 0; from < text.length;) {
    const end = endOfPiece(text, from, pace.size)
    const piece = text.slice(from, end)
    const began = performance.now()
    yield* searchPiece(piece, line, regex)
    const tookMs = performance.now() - began
    if (tookMs > pieceMs) pace.size = Math.max(smallestPiece, pace.size >> 1)
    else if (tookMs < pieceMs / 4) pace.size = Math.min(largestPiece, pace.size << 1)
    line += countLines(piece)
    from = end
    yield undefined
  }
}

/** After a line end, if there is one near; a line of megabytes is cut. */
function endOfPiece(text: string, from: number, size: number): number {
  if (from + size >= text.length) return text.length
  const before = text.lastIndexOf('\n', from + size)
  if (before >= from) return before + 1
  const after = text.indexOf('\n', from + size)
  return after === -1 || after - from > size * 4 ? from + size : after + 1
}

/**
 * A match in the whole piece is where a line may match; it is tried on that line alone, because a
 * match must not reach over the end of its line.
 */
function* searchPiece(piece: string, first: number, regex: RE2JS): Generator<LineMatch> {
  const matcher = regex.matcher(piece)
  let line = first
  let counted = 0
  for (let from = 0; from < piece.length && matcher.find(from);) {
    const start = matcher.start()
    if (start >= piece.length) return
    const begin = piece.lastIndexOf('\n', start - 1) + 1
    const lineBegin = start === 0 ? 0 : begin
    const found = piece.indexOf('\n', start)
    const end = found === -1 ? piece.length : found
    line += countLines(piece.slice(counted, lineBegin))
    counted = lineBegin
    const text = piece.slice(lineBegin, end)
    if (matcher.end() <= end || regex.matcher(text).find()) {
      yield { line, text: text.length > longestLine ? `${text.slice(0, longestLine)}…` : text }
    }
    from = end + 1
  }
}

function countLines(text: string): number {
  let lines = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}
