import type { Groups } from '../core/async/groups.ts'
import type { EventFeed } from '../core/events/event-feed.ts'
import type { Host } from '../core/host/host.ts'
import type { Offers } from '../core/offer/tool-offer.ts'
import type { RoleBook } from '../core/people/role-book.ts'
import type { CapabilityBook } from '../core/pipeline/capabilities/capability.ts'
import type { PipelinePorts } from '../core/pipeline/ports.ts'
import type { Registry } from '../core/registry.ts'
import type { TenantRules } from '../core/rules/tenant-rules.ts'
import type { ToolSources } from '../core/sources/tool-sources.ts'
import type { Work } from '../engine/open-work.ts'
import type { OpenWorkspaces } from '../features/workspaces/open-workspaces.ts'
import type { OpenSkills } from '../features/skills/parts.ts'
import type { OpenStores } from '../features/open-stores.ts'
import type { CallAccess } from './pipeline/call-access.ts'
import type { NetworkAccess } from '../features/network/network-access.ts'
import type { Config } from './config/config-schema.ts'
import type { Authorities } from './governance/authorities.ts'
import type { ScopeSource } from './governance/scope-source.ts'
import type { TenantViews } from './governance/tenant-views.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { WaitForCall } from '../features/calls/parts.ts'
import type { OwnAddress } from './server/server-address.ts'

/**
 * Parts with the lifetime of the crib: rules, the pipeline and its queue. Opened before tools and
 * features.
 */
export interface Parts extends OwnAddress {
  config: Config
  env: Readonly<Record<string, string | undefined>>
  store: OpenStores
  registry: Registry
  /** This machine, as far as tools may use it. */
  host: Host
  /** The network of the host, as rules allow it. */
  network: NetworkAccess
  scopes: ScopeSource
  views: TenantViews
  /** The only way to add tools to the registry. */
  sources: ToolSources
  skills: OpenSkills
  workspaces: OpenWorkspaces
  rules: TenantRules
  /** The roles of members. */
  roles: RoleBook
  authorities: Authorities
  ports: PipelinePorts
  /** Additions of features to the context of a tool. */
  capabilities: CapabilityBook
  calls: CallAccess
  metrics: Metrics
  waitForCall: WaitForCall
  work: Work
  groups: Groups
  offers: Offers
  /** The event log, read once for all its followers. */
  feed: EventFeed
  onWarning(message: string): void
  close(): Promise<void>
}
