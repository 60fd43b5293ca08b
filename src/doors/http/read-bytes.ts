import type { IncomingMessage } from 'node:http'

/** A body whose length is declared and was checked: the HTTP parser ends it there. */
export function readBytes(incoming: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const [first] = chunks
      resolve(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks))
    })
    incoming.on('error', reject)
    incoming.on('close', () => {
      // A client that leaves in the middle may close without an error.
      if (!incoming.complete) reject(new Error('The connection closed'))
    })
  })
}
