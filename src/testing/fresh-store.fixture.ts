import { onTestFinished } from 'vitest'
import type { OpenStores } from '../features/open-stores.ts'
import { openTestStore } from './open-test-store.ts'

/** A store of the current test's own, which is closed when the test and its `afterEach` are over. */
export async function freshStore(): Promise<OpenStores> {
  const store = await openTestStore()
  onTestFinished(() => store.close())
  return store
}
