import { createCrib } from '../app/create-crib.ts'
import type { Crib, CribOptions } from '../app/crib.ts'
import { ToolError } from '../core/kernel/errors.ts'
import { ownerOf } from '../app/owner.ts'
import { openTestStore } from './open-test-store.ts'

export interface TestCribOptions extends CribOptions {
  /** Secrets of the default tenant, by key. */
  secrets?: Readonly<Record<string, string>>
}

/**
 * A crib for tests: the whole pipeline, on the embedded store, in memory, which goes away with it. Takes
 * what `createCrib` takes; a `store` that is given stays open. Reads no configuration file and no folder
 * of tools unless named, and no environment unless given.
 */
export async function createTestCrib({
  secrets = {},
  ...options
}: TestCribOptions = {}): Promise<Crib> {
  assertSecrets(secrets)
  const settings = { config: { tools: [] }, env: {}, onWarning: () => undefined, ...options }
  if (settings.store !== undefined) return withSecrets(await createCrib(settings), secrets)
  const store = await openTestStore()
  try {
    const crib = await withSecrets(await createCrib({ ...settings, store }), secrets)
    return {
      ...crib,
      async close() {
        await crib.close()
        await store.close()
      },
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** JavaScript and casts bring a list or a text here. */
function assertSecrets(secrets: unknown): void {
  if (typeof secrets === 'object' && secrets !== null && !Array.isArray(secrets)) return
  throw new ToolError('invalid_config', 'createTestCrib: secrets must be an object', {
    fix: "Write secrets: { billing_key: 'test-key' }.",
  })
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
