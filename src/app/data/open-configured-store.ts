import {
  createKeyFile,
  type KeySource,
  loadMasterKeys,
  parseMasterKeys,
} from '../../store/master-key.ts'
import type { StoreSettings } from '../../store/open-store.ts'
import { openStores, type OpenStores } from '../../features/open-stores.ts'
import type { Config } from '../config/config-schema.ts'
import { readDatabaseUrl, readGivenMasterKeys } from './given-secrets.ts'
import {
  assertDataFolder,
  beginFirstStart,
  endFirstStart,
  makeDataFolder,
  notWritable,
  refuseLostDatabase,
  refuseMoved,
  removeBackupDrafts,
} from './data-folder.ts'

export interface StoreChoice {
  config: Config
  /** The data folder, absolute. */
  data: string
  database?: string
  env: Readonly<Record<string, string | undefined>>
  nodeId: string
  /** Nothing is made: a folder without data is refused. */
  mustExist?: boolean
  onWarning(message: string): void
}

/** PostgreSQL where a URL is given (option, environment, configuration), else the embedded store. */
export async function openConfiguredStore(choice: StoreChoice): Promise<OpenStores> {
  const url = await readDatabaseUrl(choice.env, {
    option: choice.database,
    configured: choice.config.storage.database,
  })
  if (url === undefined && choice.mustExist === true) await assertDataFolder(choice.data)
  await makeDataFolder(choice.data)
  if (url === undefined) await prepareEmbedded(choice.data)
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
  if (url === undefined) return openEmbedded(choice, settings)
  return openStores({ kind: 'postgres', url, poolSize: choice.config.storage.poolSize }, settings)
}

async function prepareEmbedded(data: string): Promise<void> {
  await refuseMoved(data)
  await refuseLostDatabase(data)
  await beginFirstStart(data).catch((error: unknown) => {
    throw notWritable(data, error)
  })
}

async function openEmbedded(
  { data, env }: StoreChoice,
  settings: StoreSettings,
): Promise<OpenStores> {
  const wire = env['TOOLCRIB_PGLITE'] === 'plain' ? 'plain' : undefined
  const store = await openStores({ kind: 'pglite', dataDir: data, wire }, settings)
  await endFirstStart(data)
  await removeBackupDrafts(data)
  return store
}

/** Keys that the operator keeps: a variable stays as it is, a mounted file may be changed under us. */
function givenSource(env: StoreChoice['env'], first: string): KeySource {
  const file = env['TOOLCRIB_MASTER_KEY_FILE']
  return {
    place: file ? `${file} (TOOLCRIB_MASTER_KEY_FILE)` : 'TOOLCRIB_MASTER_KEY',
    read: async () => parseMasterKeys((await readGivenMasterKeys(env)) ?? first),
  }
}
