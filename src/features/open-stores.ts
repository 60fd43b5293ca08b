import { createConversationStore } from './conversations/store/conversation-store.ts'
import { releaseTurns } from './conversations/store/turn-work.ts'
import { createCatalogueStore } from './policies/store.ts'
import { createTenantStore } from './tenants/store/tenant-store.ts'
import { revokeKeysOf } from './keys/store/key-makers.ts'
import { createMemberStore } from './people/store/member-store.ts'
import { createKeyStore } from './keys/store/key-store.ts'
import { createSecretVault } from './secrets/store/secret-vault.ts'
import { sealedTurns } from './conversations/store/sealed-turns.ts'
import { sealedConnections } from './mcp-servers/store/connection-rows.ts'
import { sealedSchedules } from './schedules/store/sealed-schedules.ts'
import { openKeyring } from './secrets/store/keyring.ts'
import { sealedSecrets } from './secrets/store/secret-vault.ts'
import type { KeySource, MasterKeyRing } from '../store/master-key.ts'
import { sealedCalls, type SealedRows } from '../store/sealing/sealed-rows.ts'
import { createGatewayStore } from './mcp-servers/store/gateway-store.ts'
import { createConnectionStore } from './mcp-servers/store/connection-store.ts'
import { createSessionFlagStore } from './data-flow/store/session-flag-store.ts'
import { createFoundToolStore } from './tools/store.ts'
import { removeFlags } from './data-flow/store/remove-flags.ts'
import { removeConversations } from './conversations/store/remove-conversations.ts'
import { removeFound } from './tools/store.ts'
import { removeVisitors } from './keys/store/visitor-keys.ts'
import { createLimitStore } from './limits/store/limit-store.ts'
import { createUsageStore } from './usage/store.ts'
import type { Engine } from '../store/engine/engine.ts'
import { createStore, openOn } from '../store/open-store.ts'
import type { OpenStore, StoreLocation, StoreSettings } from '../store/open-store.ts'
import type { FeatureStores } from './stores.ts'
import { createUploadStore } from './uploads/store/upload-store.ts'

/** Everything that is stored, on a database. */
export interface OpenStores extends OpenStore, FeatureStores {}

/** Opens the database with all stores on it and migrates its schema. Fails with a code and a fix. */
export function openStores(location: StoreLocation, settings: StoreSettings): Promise<OpenStores> {
  return openOn(location, settings.onWarning, (engine) => createStores(engine, settings))
}

/** All stores on a database that is open. It closes with them. */
export async function createStores(engine: Engine, settings: StoreSettings): Promise<OpenStores> {
  const store = await createStore(engine, settings)
  // Embedded, this process is alone: earlier holders of a lease are dead.
  if (engine.kind === 'pglite') await releaseTurns(engine)
  const { parts } = store
  const { ring, presence } = parts
  const { keySource: source = fixedSource(settings.masterKeys), onWarning } = settings
  const keys = createKeyStore(engine, parts.pepper, onWarning)
  const directory = presence.keyDirectory
  const syncMs = presence.timeoutMs / 5
  const keyring = await openKeyring(engine, {
    ring,
    source,
    directory,
    sealed,
    onWarning,
    syncMs,
  })
  let closing: Promise<void> | undefined
  async function close(): Promise<void> {
    keyring.close()
    await keys.close().catch(() => undefined)
    await store.close()
  }
  return {
    ...store,
    conversations: createConversationStore(engine),
    catalogue: createCatalogueStore(engine),
    tenants: createTenantStore(engine, parts.writer),
    members: createMemberStore(engine, revokeKeysOf),
    keys,
    secrets: createSecretVault(engine, ring),
    keyring,
    flush: async () => void (await Promise.all([store.flush(), keys.flush()])),
    close: () => (closing ??= close()),
    gateway: createGatewayStore(engine),
    connections: createConnectionStore(engine, parts.ring),
    sessionFlags: createSessionFlagStore(engine),
    foundTools: createFoundToolStore(engine),
    removeOld: (tenant, beforeMs, limit) => parts.removeOld({ tenant, beforeMs, limit }, removers),
    limits: createLimitStore(engine, parts.presence),
    usage: createUsageStore(engine),
    uploads: createUploadStore(engine),
  }
}

/** The order matters: a visitor's key stays as long as a conversation of theirs. */
const removers = [removeFlags, removeConversations, removeFound, removeVisitors]

/** What a rotation of the master key moves. */
const sealed: SealedRows = {
  tables: [sealedSecrets, sealedConnections],
  inputs: [sealedCalls, ...sealedSchedules, sealedTurns],
}

function fixedSource(masterKeys: MasterKeyRing): KeySource {
  return { place: 'the settings of the store', read: () => Promise.resolve(masterKeys) }
}
