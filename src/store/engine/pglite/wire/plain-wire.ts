import { protocol } from '@electric-sql/pglite'
import type { TextRow } from '../../engine.ts'
import type { Database } from '../pglite-database.ts'
import { converse, execute } from './pglite-wire.ts'
import type { Wire } from './wire.ts'

const { serialize } = protocol

/**
 * PGlite's own queries and reader instead of ours: slower, with the same answers. It shows whether a
 * fault after an upgrade of PGlite is in this folder.
 */
export function createPlainWire(database: Database): Wire {
  return {
    async run({ text }, values) {
      const parameters = values.map((value) =>
        value instanceof Uint8Array ? Buffer.from(value) : value === null ? null : String(value),
      )
      const replies = await converse(
        database,
        Buffer.concat([
          serialize.parse({ text }),
          serialize.bind({ values: parameters }),
          serialize.execute(),
          serialize.sync(),
        ]),
      )
      const rows = replies.flatMap((reply) => (reply.name === 'dataRow' ? [toRow(reply)] : []))
      const done = replies.find(({ name }) => name === 'commandComplete')
      return { rows, tag: (done as { text?: string } | undefined)?.text ?? '' }
    },
    query: (text, values = []) => database.query(text, values),
    execute: (text) => execute(database, text),
    noteChange() {},
  }
}

function toRow(reply: object): TextRow {
  return (reply as { fields: TextRow }).fields
}
