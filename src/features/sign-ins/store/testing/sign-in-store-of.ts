import type { OpenStores } from '../../../open-stores.ts'
import type { SignInStore } from '../../sign-in-store.ts'
import { createSignInStore } from '../sign-in-store.ts'

/** One for each open store: it remembers cookies, and listens for what changes. */
const known = new WeakMap<OpenStores, SignInStore>()

/** The sign-ins of an open store. */
export function signInStoreOf(store: OpenStores): SignInStore {
  const found = known.get(store) ?? createSignInStore(store.engine)
  known.set(store, found)
  return found
}
