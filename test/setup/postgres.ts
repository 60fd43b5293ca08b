import { startPostgres } from '../../scripts/postgres.mjs'
import { createTemplate } from '../../src/store/contract/temp-store.ts'
import { ensurePrebuiltFolder } from '../../src/store/engine/pglite/prebuilt-folder.ts'

/**
 * A real PostgreSQL for the whole run, in `TOOLCRIB_TEST_POSTGRES`; a server named there already is
 * used as it is. Without one the run fails: a suite that skips its database proves nothing.
 */
export async function setup(): Promise<() => Promise<void>> {
  // Without it every embedded store of a test makes its own, in seconds; an install has made it, but
  // maybe for another schema.
  await ensurePrebuiltFolder()
  // Another project of this run has done all this.
  if (process.env['TOOLCRIB_TEST_TEMPLATE']) return async () => undefined
  if (process.env['TOOLCRIB_TEST_POSTGRES']) {
    const template = await createTemplate()
    return template.drop
  }
  // The promises under test are about our own crashes, which fsync has no part in.
  const postgres = await startPostgres({ fsync: false })
  process.env['TOOLCRIB_TEST_POSTGRES'] = postgres.url
  await createTemplate()
  return async () => {
    delete process.env['TOOLCRIB_TEST_POSTGRES']
    await postgres.stop()
  }
}
