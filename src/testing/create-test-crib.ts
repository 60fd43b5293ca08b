import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createCrib, type Crib, type CribOptions } from '../app/create-crib.ts'
import { createMemoryStore } from './memory/create-memory-store.ts'

export interface TestCribOptions extends CribOptions {
  /** `memory` (the default) opens at once; `embedded` is the real store in a folder of its own. */
  storage?: 'memory' | 'embedded'
}

/**
 * A crib for tests: the whole pipeline, on a store that goes away with it. Takes what `createCrib`
 * takes; reads no configuration file unless one is named, and no environment unless given.
 */
export async function createTestCrib({
  storage = 'memory',
  ...options
}: TestCribOptions = {}): Promise<Crib> {
  const settings = { config: {}, env: {}, onWarning: () => undefined, ...options }
  if (storage === 'memory') return createCrib({ store: createMemoryStore(), ...settings })
  const data = await mkdtemp(path.join(tmpdir(), 'toolcrib-test-'))
  const forget = () => rm(data, { recursive: true, force: true })
  try {
    const crib = await createCrib({ ...settings, data })
    return {
      ...crib,
      close: async () => {
        await crib.close()
        await forget()
      },
    }
  } catch (error) {
    await forget()
    throw error
  }
}
