type Write = typeof process.stdout.write

/**
 * Puts a redactor in front of everything that this process prints: its log, what tools print, and
 * errors that escape them. Returns the way to stop. A value that is printed in pieces is not found.
 */
export function guardOutput(
  redactText: (text: string) => string,
  streams: readonly Pick<NodeJS.WriteStream, 'write'>[] = [process.stdout, process.stderr],
): () => void {
  const ends = streams.map((stream) => {
    const write = stream.write.bind(stream) as (...given: unknown[]) => boolean
    const before = stream.write
    const guarded = ((chunk: string | Uint8Array, ...rest: unknown[]) =>
      write(redactChunk(chunk, redactText), ...rest)) as Write
    stream.write = guarded
    return () => {
      // Somebody else may have put something in front meanwhile, which calls this one.
      if (stream.write === guarded) stream.write = before
    }
  })
  return () => ends.forEach((end) => end())
}

function redactChunk(
  chunk: string | Uint8Array,
  redactText: (text: string) => string,
): string | Uint8Array {
  if (typeof chunk === 'string') return redactText(chunk)
  const text = Buffer.from(chunk).toString()
  const redacted = redactText(text)
  return redacted === text ? chunk : Buffer.from(redacted)
}
