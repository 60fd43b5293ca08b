import { createStores } from '../../features/open-stores.ts'
import type { Engine } from '../engine/engine.ts'
import { ensurePrebuiltFolder } from '../engine/pglite/prebuilt-folder.ts'
import { openEngine, type StoreLocation } from '../open-store.ts'
import type { StoreFixture } from '../store.contract.ts'
import { settingsFor } from './records.ts'
import { createTempDatabase, createTempFolder } from './temp-store.ts'

/** A way to a store, and to everything it leaves behind. */
export interface TempStore extends StoreFixture {
  remove(): Promise<void>
}

/** An embedded store in a folder of its own. */
export async function embeddedStore(options: { wire?: 'plain' } = {}): Promise<TempStore> {
  const folder = await createTempFolder()
  await ensurePrebuiltFolder()
  const location = { kind: 'pglite', dataDir: folder.path, ...options } as const
  return { ...fixtureAt(location), remove: folder.remove }
}

/** A store in a database of its own. */
export async function postgresStore(): Promise<TempStore> {
  const database = await createTempDatabase()
  const location = { kind: 'postgres', url: database.url } as const
  return { ...fixtureAt(location), remove: database.drop }
}

function fixtureAt(location: StoreLocation): StoreFixture {
  let engine: Engine | undefined
  return {
    async open() {
      engine = await openEngine(location, () => {})
      return createStores(engine, settingsFor())
    },
    engine() {
      if (engine === undefined) throw new Error('The store is not open.')
      return engine
    },
  }
}
