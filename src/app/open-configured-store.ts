import type { Store } from '../core/ports.ts'
import { loadMasterKeys } from '../store/master-key.ts'
import { openStore } from '../store/open-store.ts'
import type { Config } from './config-schema.ts'
import { readDatabaseUrl, readGivenMasterKeys } from './given-secrets.ts'
import { makeDataFolder, notWritable, refuseMoved } from './data-folder.ts'

export interface StoreChoice {
  config: Config
  /** The data folder, absolute. */
  data: string
  database?: string
  env: Readonly<Record<string, string | undefined>>
  nodeId: string
  onWarning(message: string): void
}

/** PostgreSQL where a URL is given (option, environment, configuration), else the embedded store. */
export async function openConfiguredStore(choice: StoreChoice): Promise<Store> {
  const url = await readDatabaseUrl(choice.env, {
    option: choice.database,
    configured: choice.config.storage.database,
  })
  await makeDataFolder(choice.data)
  if (url === undefined) await refuseMoved(choice.data)
  const masterKeys = await loadMasterKeys({
    dataDir: choice.data,
    text: await readGivenMasterKeys(choice.env),
    onWarning: choice.onWarning,
  }).catch((error: unknown) => {
    throw notWritable(choice.data, error)
  })
  const settings = {
    masterKeys,
    nodeId: choice.nodeId,
    nodeTimeoutMs: choice.config.limits.nodeTimeoutMs,
    onWarning: choice.onWarning,
  }
  if (url === undefined) return openStore({ kind: 'pglite', dataDir: choice.data }, settings)
  return openStore({ kind: 'postgres', url, poolSize: choice.config.storage.poolSize }, settings)
}
