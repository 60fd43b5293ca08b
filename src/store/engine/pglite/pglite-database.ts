import { PGlite } from '@electric-sql/pglite'
import type { PGliteOptions } from '@electric-sql/pglite'
import type { QueryResult } from './wire/wire.ts'

/** The embedded engine, which speaks PostgreSQL's protocol. One message at a time. */
export interface Database {
  send(message: Uint8Array): Promise<Buffer>
  /** PGlite's own query. */
  query(text: string, values: readonly unknown[]): Promise<QueryResult>
  close(): Promise<void>
}

/**
 * PGlite sends six messages for each of its own queries. Ours go through `wire/`, one at a time
 * (`pglite-session.ts`).
 */
export async function openDatabase(options: PGliteOptions): Promise<Database> {
  const pglite = await PGlite.create(options)
  return {
    async send(message) {
      const parts: Buffer[] = []
      await pglite.execProtocolRawStream(message, {
        syncToFs: false,
        // These bytes are the engine's own memory, which it reuses.
        onRawData: (bytes) => void parts.push(Buffer.from(bytes)),
      })
      return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
    },
    query: (text, values) => pglite.query<Record<string, unknown>>(text, [...values]),
    close: () => pglite.close(),
  }
}
