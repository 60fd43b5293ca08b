import { protocol } from '@electric-sql/pglite'
import type { Database } from '../pglite-database.ts'
import { PreparedTexts } from './pglite-prepared.ts'
import { exchange, execute, toRunMessage } from './pglite-wire.ts'
import type { Wire } from './wire.ts'

const { serialize } = protocol

/** Our own messages and reader: every statement is parsed and planned once. */
export function createFastWire(database: Database): Wire {
  const texts = new PreparedTexts()
  const prepared = new Set<string>()
  return {
    async run({ name, text }, values) {
      if (!prepared.has(name)) {
        const parse = serialize.parse({ name, text })
        await exchange(database, Buffer.concat([parse, serialize.sync()]))
        prepared.add(name)
      }
      return exchange(
        database,
        toRunMessage(
          name,
          values.map((value) => (typeof value === 'number' ? String(value) : value)),
        ),
      )
    },
    query: (text, values) => texts.query(database, text, values),
    execute: (text) => execute(database, text),
    noteChange: () => texts.noteChange(),
  }
}
