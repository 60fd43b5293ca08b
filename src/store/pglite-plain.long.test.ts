import { afterAll } from 'vitest'
import { createTempFolder } from './contract/temp-store.ts'
import { settingsFor } from './contract/records.ts'
import type { Engine } from './engine/engine.ts'
import { ensurePrebuiltFolder } from './engine/pglite/prebuilt-folder.ts'
import { openEngine } from './open-store.ts'
import { createStores } from '../features/open-stores.ts'
import { describeStore } from './store.contract.ts'

const folder = await createTempFolder()
let engine: Engine

describeStore("the embedded store through PGlite's own queries", {
  async open() {
    await ensurePrebuiltFolder()
    engine = await openEngine({ kind: 'pglite', dataDir: folder.path, wire: 'plain' }, () => {})
    return createStores(engine, settingsFor())
  },
  engine: () => engine,
})

afterAll(() => folder.remove())
