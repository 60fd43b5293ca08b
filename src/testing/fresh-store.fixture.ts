import { onTestFinished } from 'vitest'
import type { OpenStore } from '../store/open-store.ts'
import { openTestStore } from './open-test-store.ts'

/** A store of the current test's own, which is closed when the test and its `afterEach` are over. */
export async function freshStore(): Promise<OpenStore> {
  const store = await openTestStore()
  onTestFinished(() => store.close())
  return store
}
