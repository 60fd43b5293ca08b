import type { Store } from '../core/ports.ts'
import {
  createKeyFile,
  type KeySource,
  loadMasterKeys,
  parseMasterKeys,
} from '../store/master-key.ts'
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
  const text = await readGivenMasterKeys(choice.env)
  const masterKeys = await loadMasterKeys({
    dataDir: choice.data,
    text,
    onWarning: choice.onWarning,
  }).catch((error: unknown) => {
    throw notWritable(choice.data, error)
  })
  const settings = {
    masterKeys,
    keySource: text === undefined ? createKeyFile(choice.data) : givenSource(choice.env, text),
    nodeId: choice.nodeId,
    nodeTimeoutMs: choice.config.limits.nodeTimeoutMs,
    onWarning: choice.onWarning,
  }
  if (url === undefined) return openStore({ kind: 'pglite', dataDir: choice.data }, settings)
  return openStore({ kind: 'postgres', url, poolSize: choice.config.storage.poolSize }, settings)
}

/** Keys that the operator keeps: a variable stays as it is, a mounted file may be changed under us. */
function givenSource(env: StoreChoice['env'], first: string): KeySource {
  const file = env['TOOLCRIB_MASTER_KEY_FILE']
  return {
    place: file ? `${file} (TOOLCRIB_MASTER_KEY_FILE)` : 'TOOLCRIB_MASTER_KEY',
    read: async () => parseMasterKeys((await readGivenMasterKeys(env)) ?? first),
  }
}
