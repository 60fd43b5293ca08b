import { startPostgres } from '../../scripts/postgres.mjs'

/**
 * A real PostgreSQL for the whole run, in `TOOLCRIB_TEST_POSTGRES`; a server named there already is
 * used as it is. Without one the run fails: a suite that skips its database proves nothing.
 */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['TOOLCRIB_TEST_POSTGRES']) return undefined
  // The promises under test are about our own crashes, which fsync has no part in.
  const postgres = await startPostgres({ fsync: false })
  process.env['TOOLCRIB_TEST_POSTGRES'] = postgres.url
  return async () => {
    delete process.env['TOOLCRIB_TEST_POSTGRES']
    await postgres.stop()
  }
}
