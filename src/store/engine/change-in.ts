import type { Transaction } from 'kysely'
import type { Engine } from './engine.ts'
import { runChange } from './open-change.ts'
import { isTransient, toStoreError } from './store-error.ts'
import type { Tables } from '../tables.ts'

const attempts = 3

/**
 * Runs one short transaction, retrying it where the database asks for that. Readers of events are
 * notified afterwards.
 */
export async function changeIn<T>(
  engine: Engine,
  work: (transaction: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  return guarded(async () => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const result = await engine.db
          .transaction()
          .execute((transaction) => runChange(() => work(transaction)))
        engine.noteWrites(1)
        engine.announce()
        return result
      } catch (error) {
        if (attempt >= attempts || !isTransient(error)) throw error
      }
    }
  })
}

/** Turns errors of the database into our own. */
export async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toStoreError(error)
  }
}
