import { sql } from 'kysely'
import type { Engine } from '../../../store/engine/engine.ts'

const writeEveryMs = 10_000

/** Remembers when keys were last used and writes it down now and then: a request must not wait for it. */
export function createKeyUse(
  engine: Engine,
  onWarning: (message: string) => void,
): { note(id: string): void; flush(): Promise<void>; close(): Promise<void> } {
  let uses = new Map<string, number>()
  const flush = async () => {
    if (uses.size === 0) return
    const taken = uses
    uses = new Map()
    await sql`update api_keys k set last_used_ms = greatest(k.last_used_ms, u.at)
      from unnest(${`{${[...taken.keys()].join(',')}}`}::text[],
        ${`{${[...taken.values()].join(',')}}`}::bigint[]) u(id, at)
      where k.id = u.id`.execute(engine.db)
  }
  const timer = setInterval(() => {
    flush().catch((error: unknown) =>
      onWarning(`The last use of keys was not written: ${String(error)}`),
    )
  }, writeEveryMs)
  timer.unref()
  return {
    note: (id) => uses.set(id, engine.now()),
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}
