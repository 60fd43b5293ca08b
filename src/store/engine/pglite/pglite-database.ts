import { PGlite } from '@electric-sql/pglite'
import type { PGliteOptions } from '@electric-sql/pglite'

/** The embedded engine, which speaks PostgreSQL's protocol. One message at a time. */
export interface Database {
  send(message: Uint8Array): Promise<Buffer>
  close(): Promise<void>
}

/**
 * PGlite without its own queries, which take six messages for each: reading and writing the protocol
 * is ours (`pglite-wire.ts`), and so is the order of things (`pglite-session.ts`).
 */
export async function openDatabase(options: PGliteOptions): Promise<Database> {
  const pglite = await PGlite.create(options)
  return {
    async send(message) {
      const parts: Buffer[] = []
      await pglite.execProtocolRawStream(message, {
        syncToFs: false,
        // What is handed over is the engine's own memory, which it uses again.
        onRawData: (bytes) => void parts.push(Buffer.from(bytes)),
      })
      return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
    },
    close: () => pglite.close(),
  }
}
