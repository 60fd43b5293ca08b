import { TextDecoder } from 'node:util'
import { createKeyScanner, type FoundToken } from '../../../core/keys/key-scanner.ts'

/** Enough bytes to recognise a text file. */
const headBytes = 8192

/** The tokens in a stream of bytes; undefined if it is not text. Holds only one chunk at a time. */
export async function scanStream(
  pieces: AsyncIterable<Uint8Array | string>,
): Promise<FoundToken[] | undefined> {
  const scan = createKeyScanner()
  const found: FoundToken[] = []
  let decoder: TextDecoder | undefined
  for await (const piece of pieces) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
    if (decoder === undefined) {
      const encoding = encodingOf(bytes)
      if (encoding === undefined) return undefined
      decoder = new TextDecoder(encoding)
    }
    found.push(...scan(decoder.decode(bytes, { stream: true })))
  }
  return found
}

/**
 * UTF-16 files of Windows begin with a mark; other files with a NUL near the beginning are not
 * text.
 */
function encodingOf(head: Uint8Array): string | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  return head.subarray(0, headBytes).includes(0) ? undefined : 'utf-8'
}
