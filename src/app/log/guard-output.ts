import type { LogStream } from '../../core/secrets/known-secrets.ts'

type Write = typeof process.stdout.write
type Guarded = Pick<NodeJS.WriteStream, 'write'>

/** A word at the end of what was printed that may begin a secret waits so long for the next piece. */
const waitMs = 2_000

/**
 * Puts a redactor in front of everything that this process prints: its log, what tools print, and
 * errors that escape them. A secret that comes in several pieces is found as well: what may be its
 * beginning is held back until something else follows. Returns the way to stop.
 */
export function guardOutput(
  openRedactor: () => LogStream,
  streams: readonly Guarded[] = [process.stdout, process.stderr],
): () => void {
  const ends = streams.map((stream) => guardStream(stream, openRedactor()))
  return () => ends.forEach((end) => end())
}

function guardStream(stream: Guarded, redactor: LogStream): () => void {
  const write = stream.write.bind(stream) as (...given: unknown[]) => boolean
  const before = stream.write
  let timer: NodeJS.Timeout | undefined
  /** A telling beginning stays back: it is most of a secret that never came to its end. */
  function settle(): void {
    const rest = redactor.settle()
    if (rest !== '') write(rest)
  }
  const guarded = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
    clearTimeout(timer)
    const shown = redactChunk(chunk, rest[0], redactor)
    if (redactor.heldText() !== '') timer = setTimeout(settle, waitMs).unref()
    return write(shown, ...rest)
  }) as Write
  stream.write = guarded
  return () => {
    clearTimeout(timer)
    settle()
    // Somebody else may have put something in front meanwhile, which calls this one.
    if (stream.write === guarded) stream.write = before
  }
}

function redactChunk(
  chunk: string | Uint8Array,
  encoding: unknown,
  redactor: LogStream,
): string | Uint8Array {
  const isText = typeof chunk === 'string' && (typeof encoding !== 'string' || isUtf8(encoding))
  if (isText) return redactor.push(chunk)
  const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encoding as BufferEncoding) : chunk
  const text = Buffer.from(bytes).toString()
  const redacted = redactor.push(text)
  return redacted === text ? bytes : Buffer.from(redacted)
}

function isUtf8(encoding: string): boolean {
  return /^utf-?8$/i.test(encoding)
}
