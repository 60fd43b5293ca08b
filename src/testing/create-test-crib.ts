import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createCrib } from '../app/create-crib.ts'
import type { Crib, CribOptions } from '../app/crib.ts'
import { ownerOf } from '../app/owner.ts'
import { createMemoryStore } from './memory/create-memory-store.ts'

export interface TestCribOptions extends CribOptions {
  /** `memory` (the default) opens at once; `embedded` is the real store in a folder of its own. */
  storage?: 'memory' | 'embedded'
  /** Secrets of the default tenant, by key. */
  secrets?: Readonly<Record<string, string>>
}

/**
 * A crib for tests: the whole pipeline, on a store that goes away with it. Takes what `createCrib`
 * takes; reads no configuration file and no folder of tools unless named, and no environment unless given.
 */
export async function createTestCrib({
  storage = 'memory',
  secrets = {},
  ...options
}: TestCribOptions = {}): Promise<Crib> {
  const settings = { config: { tools: [] }, env: {}, onWarning: () => undefined, ...options }
  if (storage === 'memory') {
    return withSecrets(await createCrib({ store: createMemoryStore(), ...settings }), secrets)
  }
  const data = await mkdtemp(path.join(tmpdir(), 'toolcrib-test-'))
  const forget = () => rm(data, { recursive: true, force: true })
  try {
    const crib = await withSecrets(await createCrib({ ...settings, data }), secrets)
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

async function withSecrets(crib: Crib, secrets: Readonly<Record<string, string>>): Promise<Crib> {
  try {
    for (const [name, value] of Object.entries(secrets)) {
      await crib.api.writeSecret(ownerOf(), { name, value })
    }
    return crib
  } catch (error) {
    await crib.close()
    throw error
  }
}
