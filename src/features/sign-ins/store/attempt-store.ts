import { sql } from 'kysely'
import type { Transaction } from 'kysely'
import { countAttempt, tooManyTries } from '../attempt-rules.ts'
import type { AttemptLimit } from '../attempt-rules.ts'
import type { SignInAttempts } from '../sign-in-store.ts'
import { changeIn } from '../../../store/engine/change-in.ts'
import type { Engine } from '../../../store/engine/engine.ts'
import { toStoredText } from '../../../store/log/stored-text.ts'
import type { Tables } from '../../../store/tables.ts'

/** Counts attempts over all nodes; concurrent ones wait for the row. */
export function createAttemptStore(engine: Engine): SignInAttempts {
  return {
    async begin(limits) {
      // Always in the same order, to avoid deadlocks.
      const sorted = limits.toSorted((a, b) => (a.subject < b.subject ? -1 : 1))
      await changeIn(engine, async (db) => {
        for (const limit of sorted) await count(db, limit, engine.now())
      })
    },
    async succeed({ account, address }) {
      await changeIn(engine, async (db) => {
        await db
          .deleteFrom('sign_in_attempts')
          .where('subject', '=', toStoredText(account))
          .execute()
        if (address === undefined) return
        await db
          .updateTable('sign_in_attempts')
          .set({ failures: sql`greatest(failures - 1, 0)`, blocked_until_ms: 0 })
          .where('subject', '=', toStoredText(address))
          .execute()
      })
    },
  }
}

async function count(
  db: Transaction<Tables>,
  { subject, free }: AttemptLimit,
  now: number,
): Promise<void> {
  const name = toStoredText(subject)
  await db
    .insertInto('sign_in_attempts')
    .values({ subject: name, failures: 0, last_ms: 0, blocked_until_ms: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await db
    .selectFrom('sign_in_attempts')
    .selectAll()
    .where('subject', '=', name)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const before = {
    failures: row.failures,
    lastMs: row.last_ms,
    blockedUntilMs: row.blocked_until_ms,
  }
  const next = countAttempt(before, free, now)
  if ('retryAfterMs' in next) throw tooManyTries(next.retryAfterMs)
  const { failures, lastMs, blockedUntilMs } = next.state
  await db
    .updateTable('sign_in_attempts')
    .set({ failures, last_ms: lastMs, blocked_until_ms: blockedUntilMs })
    .where('subject', '=', name)
    .execute()
}
