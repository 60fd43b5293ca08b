import { afterAll, beforeAll, describe } from 'vitest'
import { describeCallList } from './contract/call-list.contract.ts'
import { describeCallTokens } from './contract/call-tokens.contract.ts'
import { describeCallWork } from './contract/call-work.contract.ts'
import { describeCalls } from './contract/calls.contract.ts'
import { describeClock } from './contract/clock.contract.ts'
import { describeStepCalls } from './contract/step-calls.contract.ts'
import { describeConditions } from './contract/conditions.contract.ts'
import { describeEvents } from './contract/events.contract.ts'
import { describeGroups } from './contract/groups.contract.ts'
import { describeIdempotency } from './contract/idempotency.contract.ts'
import { describeRules } from './contract/rules.contract.ts'
import { describeStorage } from './contract/storage.contract.ts'
import { settingsFor } from './contract/records.ts'
import type { Engine } from './engine/engine.ts'
import { createStores, type OpenStores } from '../features/open-stores.ts'

/** A way to a store: each `open` is on the same data, after the last one was closed. */
export interface StoreFixture {
  open(): Promise<OpenStores>
  /** The engine below the store that was opened last, to look at and to tamper with. */
  engine(): Engine
}

/** For the suites: the store, and ways around it. */
export interface StoreContext {
  store(): OpenStores
  reopen(): Promise<void>
  engine(): Engine
  db(): Engine['db']
  /** Another node on the same database, as the store sees it; it leaves the engine open. */
  openOther(changes?: Partial<Engine>): Promise<OpenStores>
}

/** Runs suites on one store. */
export function describeOn(
  name: string,
  fixture: StoreFixture,
  suites: (context: StoreContext) => void,
): void {
  let current: OpenStores | undefined
  const engine = () => fixture.engine()
  describe(name, () => {
    beforeAll(async () => {
      current = await fixture.open()
    })
    afterAll(() => current?.close())

    suites({
      store() {
        if (current === undefined) throw new Error('the store is not open')
        return current
      },
      async reopen() {
        await current?.close()
        current = await fixture.open()
      },
      engine,
      db: () => engine().db,
      openOther: (changes = {}) =>
        createStores({ ...engine(), ...changes, close: async () => {} }, settingsFor('other')),
    })
  })
}

/** Everything that the port promises, whichever engine is below. */
export function describeStore({ store, reopen, engine, db, openOther }: StoreContext): void {
  describeCalls(store)
  describeCallWork(store, { openOther, engine })
  describeStepCalls(store, openOther)
  describeCallList(store)
  describeCallTokens(store)
  describeGroups(store, openOther)
  describeIdempotency(store, { reopen, db })
  describeEvents(store, { reopen, db })
  describeStorage(store, reopen)
  describeRules(store, { openOther })
  describeClock(store)
  describeConditions(engine)
}
