import type { Groups } from '../core/async/groups.ts'
import type { OutsideProgress } from '../core/async/outside-progress.ts'
import type { EventFeed } from '../core/events/event-feed.ts'
import type { LibrarySource } from '../core/library/library-api.ts'
import type { Offers } from '../core/offer/tool-offer.ts'
import type { RoleBook } from '../core/people/role-book.ts'
import type { PipelinePorts } from '../core/pipeline/ports.ts'
import type { Registry } from '../core/registry.ts'
import type { ToolSources } from '../core/sources/tool-sources.ts'
import type { Work } from '../engine/open-work.ts'
import type { OpenSkills } from '../features/skills/feature.ts'
import type { OpenStore } from '../store/open-store.ts'
import type { Config } from './config/config-schema.ts'
import type { Authorities } from './governance/authorities.ts'
import type { ScopeSource } from './governance/scope-source.ts'
import type { TenantViews } from './governance/tenant-views.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { WaitForCall } from '../features/calls/parts.ts'
import type { OwnAddress } from './server/server-address.ts'

/** What lives as long as the crib. */
export interface Parts extends OwnAddress {
  config: Config
  env: Readonly<Record<string, string | undefined>>
  store: OpenStore
  registry: Registry
  scopes: ScopeSource
  views: TenantViews
  /** The one way for tools into the registry. */
  sources: ToolSources
  skills: OpenSkills
  /** The roles that members may have. */
  roles: RoleBook
  authorities: Authorities
  ports: PipelinePorts
  metrics: Metrics
  waitForCall: WaitForCall
  work: Work
  outsideProgress: OutsideProgress
  groups: Groups
  offers: Offers
  /** The event log, read once however many follow it. */
  feed: EventFeed
  /** Prompts and resources; sources are added while the crib opens. */
  library: LibrarySource[]
  close(): Promise<void>
}
