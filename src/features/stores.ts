import type { ConversationStore } from '../core/conversations/conversation-store.ts'
import type { CatalogueStore } from '../core/rules/catalogue.ts'
import type { TenantStore } from '../core/rules/tenant.ts'
import type { MemberStore } from '../core/people/member.ts'
import type { Keyring } from '../core/secrets/keyring.ts'
import type { SecretVault, KeyStore } from '../core/vault-ports.ts'
import type { GatewayStore } from '../core/gateway/gateway-store.ts'
import type { ConnectionStore } from '../core/gateway/connection-store.ts'
import type { SessionFlagStore } from '../core/flow/session-flags.ts'
import type { FoundToolStore } from '../core/kernel/context/tool-finder.ts'
import type { LimitStore } from '../core/limits/limit-store.ts'
import type { UsageStore } from '../core/usage/usage.ts'
import type { Store } from '../core/ports.ts'
import type { UploadStore } from '../core/uploads/upload-store.ts'

/** Stores of features that other parts of the server use too. The rest are opened by their features. */
export interface FeatureStores {
  readonly conversations: ConversationStore
  readonly catalogue: CatalogueStore
  readonly tenants: TenantStore
  readonly members: MemberStore
  readonly keys: KeyStore
  readonly keyring: Keyring
  readonly secrets: SecretVault
  /** The known facts about MCP servers. */
  readonly gateway: GatewayStore
  readonly connections: ConnectionStore
  readonly sessionFlags: SessionFlagStore
  readonly foundTools: FoundToolStore
  readonly limits: LimitStore
  readonly usage: UsageStore
  readonly uploads: UploadStore
  /**
   * Removes data older than that time: settled calls with their events and artifacts, events
   * outside of calls, and what features keep. At most about `limit`; returns how much was removed.
   */
  removeOld(tenant: string, beforeMs: number, limit: number): Promise<number>
}

/** The engine's store and those of features. */
export interface Stores extends Store, FeatureStores {}
