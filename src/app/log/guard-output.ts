import type { LogStream } from '../../core/secrets/known-secrets.ts'

type Write = typeof process.stdout.write
type Guarded = Pick<NodeJS.WriteStream, 'write'>

/** How long the end of the output is held back if it may be the beginning of a secret. */
const waitMs = 2_000

/**
 * Redacts everything that this process prints: its log, the output of tools, and errors that escape
 * them. Secrets that are split over several writes are found as well: text that may be the
 * beginning of one is held back until more follows. Returns a function that stops it.
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
  /** A long enough beginning is never printed: it is most of a secret that was cut off. */
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
    // Other code may have wrapped the stream in the meantime, and then calls this function.
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
