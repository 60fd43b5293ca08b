import { variants } from './run-length.ts'

type StoreKind = 'embedded' | 'postgres'

/**
 * Where a crash is tried. What follows it does not depend on the database, so `npm test` takes the
 * one that is named here, and `npm run test:long` the other.
 */
export function crashStores(store: StoreKind): StoreKind[] {
  return variants([store], [store === 'embedded' ? 'postgres' : 'embedded'])
}
