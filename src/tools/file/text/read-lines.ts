import type { Workspace, WorkspaceEntry } from '../../../core/kernel/context/workspace.ts'
import { wholeCharacters } from '../../../core/kernel/text/utf8.ts'

const maxReadLines = 2000
/** Of the text in one answer. Without a `limit`, a model gets what fits its context. */
const maxTextBytes = 524_288
const usualTextBytes = 51_200
const chunkBytes = 1_048_576

interface Reading {
  workspace: Workspace
  signal: AbortSignal
  offset: number | null
  limit: number | null
  tail: number | null
}

/**
 * Lines of a text file; undefined if it is not UTF-8. The file is read in chunks, so that its end
 * can be read whatever its size.
 */
export async function readLines(path: string, { tail, limit, offset, ...source }: Reading) {
  const count = tail ?? limit ?? maxReadLines
  const maxBytes = (tail ?? limit) === null ? usualTextBytes : maxTextBytes
  const first = tail === null ? (offset ?? 1) : await lastLinesFrom(path, tail, source)
  const found = await scan(path, { first, count, maxBytes }, source)
  const text = toText(found.bytes, found.isCut)
  if (text === undefined || found.isBinary) return undefined
  const lines = countLines(text)
  const next = first + lines
  const truncated = found.isCut || next <= found.totalLines
  return {
    path,
    text,
    firstLine: first,
    lines,
    totalLines: found.totalLines,
    truncated,
    bytes: found.entry.bytes,
    hint: hintFor({ first, next, truncated, isCut: found.isCut, totalLines: found.totalLines }),
    artifact: null,
  }
}

function hintFor(facts: {
  first: number
  next: number
  truncated: boolean
  isCut: boolean
  totalLines: number
}): string | null {
  const { first, next, truncated, totalLines } = facts
  if (first > totalLines && first > 1) return `The file has only ${totalLines} lines.`
  if (!truncated) return null
  if (facts.isCut && next - first <= 1) {
    return `Line ${first} is too long to show whole. Search it with file.grep.`
  }
  return `Read on with offset ${facts.isCut ? next - 1 : next}.`
}

async function lastLinesFrom(
  path: string,
  tail: number,
  source: Pick<Reading, 'workspace' | 'signal'>,
): Promise<number> {
  const { totalLines } = await scan(path, { first: 1, count: 0, maxBytes: 0 }, source)
  return Math.max(1, totalLines - tail + 1)
}

interface Scan {
  entry: WorkspaceEntry
  bytes: Uint8Array
  totalLines: number
  isBinary: boolean
  /** The lines wanted have more bytes than wanted. */
  isCut: boolean
}

/** Reads the file once: keeps the lines that are wanted, and counts all of them. */
async function scan(
  path: string,
  wanted: { first: number; count: number; maxBytes: number },
  { workspace, signal }: Pick<Reading, 'workspace' | 'signal'>,
): Promise<Scan> {
  const kept = keepLines(wanted)
  let isBinary = false
  for (let offset = 0; ;) {
    signal.throwIfAborted()
    const { entry, bytes, isPartial } = await workspace.read(path, { offset, maxBytes: chunkBytes })
    if (offset === 0) isBinary = bytes.subarray(0, 8192).includes(0)
    kept.push(bytes)
    offset += bytes.length
    if (!isPartial || bytes.length === 0) return { entry, isBinary, ...kept.end() }
  }
}

function keepLines({ first, count, maxBytes }: { first: number; count: number; maxBytes: number }) {
  const pieces: Uint8Array[] = []
  let line = 1
  let isInsideLine = false
  let size = 0
  let isCut = false

  function keep(piece: Uint8Array): void {
    const fits = piece.subarray(0, maxBytes - size)
    isCut ||= fits.length < piece.length
    size += fits.length
    if (fits.length > 0) pieces.push(fits.slice())
  }

  return {
    push(bytes: Uint8Array): void {
      for (let at = 0; at < bytes.length;) {
        const found = bytes.indexOf(10, at)
        const end = found === -1 ? bytes.length : found + 1
        if (line >= first && line < first + count) keep(bytes.subarray(at, end))
        isInsideLine = found === -1
        if (!isInsideLine) line += 1
        at = end
      }
    },
    end: () => ({
      bytes: Buffer.concat(pieces),
      totalLines: isInsideLine ? line : line - 1,
      isCut,
    }),
  }
}

function toText(bytes: Uint8Array, isCut: boolean): string | undefined {
  const whole = isCut ? bytes.subarray(0, wholeCharacters(bytes)) : bytes
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(whole)
  } catch {
    return undefined
  }
}

function countLines(text: string): number {
  if (text === '') return 0
  const ends = text.split('\n').length - 1
  return text.endsWith('\n') ? ends : ends + 1
}
