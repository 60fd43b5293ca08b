import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
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
  const closing: (() => Promise<void>)[] = []
  const close = async () => {
    for (const one of closing.toReversed()) await one()
  }
  try {
    const data = options.data ?? (await createDataFolder(closing))
    const store = options.store ?? (await openTestStore())
    if (options.store === undefined) closing.push(() => store.close())
    const crib = await withSecrets(await createCrib({ data, ...settings, store }), secrets)
    closing.push(() => crib.close())
    return { ...crib, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** For workspaces and the sandbox, which are on the disk even with a store in memory. */
async function createDataFolder(closing: (() => Promise<void>)[]): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'toolcrib-test-crib-'))
  closing.push(() => rm(folder, { recursive: true, force: true }))
  return folder
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
