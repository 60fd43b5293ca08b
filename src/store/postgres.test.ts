import { afterAll } from 'vitest'
import { createTempDatabase } from './contract/temp-store.ts'
import { settingsFor } from './contract/records.ts'
import type { Engine } from './engine/engine.ts'
import { openEngine } from './open-store.ts'
import { createStores } from '../features/open-stores.ts'
import { describeStore } from './store.contract.ts'

const database = await createTempDatabase()
let engine: Engine

describeStore('the store on PostgreSQL', {
  async open() {
    engine = await openEngine({ kind: 'postgres', url: database.url }, () => {})
    return createStores(engine, settingsFor())
  },
  engine: () => engine,
})

afterAll(() => database.drop())
