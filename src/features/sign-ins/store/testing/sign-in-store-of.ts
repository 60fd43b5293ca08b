import type { OpenStore } from '../../../../store/open-store.ts'
import type { SignInStore } from '../../sign-in-store.ts'
import { createSignInStore } from '../sign-in-store.ts'

/** One for each open store: it remembers cookies, and listens for what changes. */
const known = new WeakMap<OpenStore, SignInStore>()

/** The sign-ins of an open store. */
export function signInStoreOf(store: OpenStore): SignInStore {
  const found = known.get(store) ?? createSignInStore(store.engine)
  known.set(store, found)
  return found
}
