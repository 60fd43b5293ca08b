import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createPgliteEngine } from '../store/engine/pglite/open-pglite.ts'
import { PgliteSession } from '../store/engine/pglite/pglite-session.ts'
import { createMasterKey } from '../store/master-key.ts'
import { createStores, type OpenStores } from '../features/open-stores.ts'
import { openTestDatabase } from './embedded/test-database.ts'

/**
 * The embedded store, in memory and empty; closing it discards everything. Stores that are opened
 * one after the other share the engine, which takes a moment to start the first time.
 */
export async function openTestStore(): Promise<OpenStores> {
  const folder = await mkdtemp(path.join(tmpdir(), 'toolcrib-test-'))
  const forget = () => rm(folder, { recursive: true, force: true })
  const onWarning = () => undefined
  try {
    const database = await openTestDatabase()
    const session = new PgliteSession({ database, reopen, onWarning })
    const engine = await createPgliteEngine(session, {
      dataDir: folder,
      onWarning,
      release: forget,
    })
    const { id, key } = createMasterKey()
    const masterKeys = { activeId: id, keys: new Map([[id, key]]) }
    return await createStores(engine, { masterKeys, nodeId: 'test', onWarning })
  } catch (error) {
    await forget()
    throw error
  }
}

/** The memory was the only copy. */
function reopen(): Promise<never> {
  return Promise.reject(new Error('The database of this test broke off.'))
}
