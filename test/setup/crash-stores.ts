type StoreKind = 'embedded' | 'postgres'

/**
 * Where a crash is tried. What follows it does not depend on the database, so `npm test` takes the
 * one that is named here, and `npm run test:long` the other.
 */
export function crashStores(store: StoreKind): StoreKind[] {
  if (process.env['TOOLCRIB_TEST_LONG'] === undefined) return [store]
  return [store === 'embedded' ? 'postgres' : 'embedded']
}
