import type { Kysely } from 'kysely'
import { afterAll, beforeAll, describe } from 'vitest'
import type { Store } from '../core/ports.ts'
import { describeCallList } from './contract/call-list.contract.ts'
import { describeCalls } from './contract/calls.contract.ts'
import { describeEvents } from './contract/events.contract.ts'
import { describeIdempotency } from './contract/idempotency.contract.ts'
import { describeStorage } from './contract/storage.contract.ts'
import { describeVault } from './contract/vault.contract.ts'
import type { Tables } from './tables.ts'

/** A way to a store: each `open` is on the same data, after the last one was closed. */
export interface StoreFixture {
  open(): Promise<Store>
  /** The database beneath the store that was opened last, to look at and to tamper with. */
  db(): Kysely<Tables>
}

/** Everything that the port promises, whichever engine is below. */
export function describeStore(name: string, fixture: StoreFixture): void {
  let current: Store | undefined
  const store = () => {
    if (current === undefined) throw new Error('the store is not open')
    return current
  }
  const reopen = async () => {
    await current?.close()
    current = await fixture.open()
  }
  describe(name, () => {
    beforeAll(async () => {
      current = await fixture.open()
    }, 60_000)
    afterAll(() => current?.close())

    describeCalls(store)
    describeCallList(store)
    describeIdempotency(store, reopen)
    describeEvents(store, { reopen, db: () => fixture.db() })
    describeVault(store, () => fixture.db())
    describeStorage(store, reopen)
  })
}
