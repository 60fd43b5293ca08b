import { createApprovalStore } from './approvals/store/approval-store.ts'
import { createAuditLog } from './audit/store/audit-log.ts'
import type { Engine } from '../store/engine/engine.ts'
import type { KeySource, MasterKeyRing } from '../store/master-key.ts'
import { createStore, openOn } from '../store/open-store.ts'
import type { OpenStore, StoreLocation, StoreParts, StoreSettings } from '../store/open-store.ts'
import { sealedCalls, type SealedRows } from '../store/sealing/sealed-rows.ts'
import { createConversationStore } from './conversations/store/conversation-store.ts'
import { removeConversations } from './conversations/store/remove-conversations.ts'
import { sealedTurns } from './conversations/store/sealed-turns.ts'
import { releaseTurns } from './conversations/store/turn-work.ts'
import { removeFlags } from './data-flow/store/remove-flags.ts'
import { createSessionFlagStore } from './data-flow/store/session-flag-store.ts'
import { revokeKeysOf } from './keys/store/key-makers.ts'
import { createKeyStore } from './keys/store/key-store.ts'
import { removeVisitors } from './keys/store/visitor-keys.ts'
import { createLimitStore } from './limits/store/limit-store.ts'
import { sealedConnections } from './mcp-servers/store/connection-rows.ts'
import { createConnectionStore } from './mcp-servers/store/connection-store.ts'
import { createGatewayStore } from './mcp-servers/store/gateway-store.ts'
import { createMemberStore } from './people/store/member-store.ts'
import { createCatalogueStore } from './policies/store.ts'
import { sealedSchedules } from './schedules/store/sealed-schedules.ts'
import { openKeyring, type KeyringParts } from './secrets/store/keyring.ts'
import { sealedSecrets } from './secrets/store/secret-vault.ts'
import { createSecretVault } from './secrets/store/secret-vault.ts'
import type { FeatureStores } from './stores.ts'
import { createTenantStore } from './tenants/store/tenant-store.ts'
import { createFoundToolStore, removeFound } from './tools/store.ts'
import { createUploadStore } from './uploads/store/upload-store.ts'
import { createUsageStore } from './usage/store.ts'

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
  const { writer, sealing, sealer, presence, ring, pepper, removeOld } = store.parts
  const keys = createKeyStore(engine, pepper, settings.onWarning)
  const keyring = await openKeyring(engine, toKeyringParts(store.parts, settings))
  let closing: Promise<void> | undefined
  async function close(): Promise<void> {
    keyring.close()
    await keys.close().catch(() => undefined)
    await store.close()
  }
  return {
    ...store,
    approvals: createApprovalStore(engine, { writer, inputs: store.inputs }),
    audit: createAuditLog(sealing, sealer),
    keys,
    keyring,
    secrets: createSecretVault(engine, ring),
    connections: createConnectionStore(engine, ring),
    gateway: createGatewayStore(engine),
    tenants: createTenantStore(engine, writer),
    members: createMemberStore(engine, revokeKeysOf),
    catalogue: createCatalogueStore(engine),
    conversations: createConversationStore(engine),
    uploads: createUploadStore(engine),
    usage: createUsageStore(engine),
    limits: createLimitStore(engine, presence),
    sessionFlags: createSessionFlagStore(engine),
    foundTools: createFoundToolStore(engine),
    removeOld: (tenant, beforeMs, limit) => removeOld({ tenant, beforeMs, limit }, removers),
    flush: async () => void (await Promise.all([store.flush(), keys.flush()])),
    close: () => (closing ??= close()),
  }
}

/** The order matters: a visitor's key stays as long as a conversation of theirs. */
const removers = [removeFlags, removeConversations, removeFound, removeVisitors]

/** Moved by a rotation of the master key. */
const sealed: SealedRows = {
  tables: [sealedSecrets, sealedConnections],
  inputs: [sealedCalls, ...sealedSchedules, sealedTurns],
}

function toKeyringParts(
  { ring, presence }: StoreParts,
  { keySource, masterKeys, onWarning }: StoreSettings,
): KeyringParts {
  const source = keySource ?? fixedSource(masterKeys)
  const directory = presence.keyDirectory
  return { ring, source, directory, sealed, onWarning, syncMs: presence.timeoutMs / 5 }
}

function fixedSource(masterKeys: MasterKeyRing): KeySource {
  return { place: 'the settings of the store', read: () => Promise.resolve(masterKeys) }
}
