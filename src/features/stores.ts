import type { ApprovalStore } from '../core/approval-store.ts'
import type { AuditLog } from '../core/audit/audit-log.ts'
import type { ConversationStore } from '../core/conversations/conversation-store.ts'
import type { SessionFlagStore } from '../core/flow/session-flags.ts'
import type { ConnectionStore } from '../core/gateway/connection-store.ts'
import type { GatewayStore } from '../core/gateway/gateway-store.ts'
import type { FoundToolStore } from '../core/kernel/context/tool-finder.ts'
import type { LimitStore } from '../core/limits/limit-store.ts'
import type { MemberStore } from '../core/people/member.ts'
import type { Store } from '../core/ports.ts'
import type { CatalogueStore } from '../core/rules/catalogue.ts'
import type { TenantStore } from '../core/rules/tenant.ts'
import type { Keyring } from '../core/secrets/keyring.ts'
import type { UploadStore } from '../core/uploads/upload-store.ts'
import type { UsageStore } from '../core/usage/usage.ts'
import type { KeyStore, SecretVault } from '../core/vault-ports.ts'

/** Stores of features that other parts of the server use too. The rest are opened by their features. */
export interface FeatureStores {
  readonly approvals: ApprovalStore
  readonly audit: AuditLog
  readonly keys: KeyStore
  readonly keyring: Keyring
  readonly secrets: SecretVault
  readonly connections: ConnectionStore
  /** The known facts about MCP servers. */
  readonly gateway: GatewayStore
  readonly tenants: TenantStore
  readonly members: MemberStore
  readonly catalogue: CatalogueStore
  readonly conversations: ConversationStore
  readonly uploads: UploadStore
  readonly usage: UsageStore
  readonly limits: LimitStore
  readonly sessionFlags: SessionFlagStore
  readonly foundTools: FoundToolStore
  /**
   * Removes data older than that time: settled calls with their events and artifacts, events
   * outside of calls, and old rows of features. At most about `limit`; returns how much was removed.
   */
  removeOld(tenant: string, beforeMs: number, limit: number): Promise<number>
}

/** The engine's store and those of features. */
export interface Stores extends Store, FeatureStores {}
