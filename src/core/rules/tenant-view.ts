import type { Rule, RuleKind } from './rule-store.ts'
import type { Tenant } from './tenant.ts'

/** What is decided for the whole of a tenant, held in memory: every call asks, and none waits for a disk. */
export interface TenantView {
  readonly tenant: Tenant
  /** By kind, then by name. Agents and what hangs on them are not here, nor are pins: there may be thousands. */
  readonly rules: ReadonlyMap<RuleKind, readonly Rule[]>
  /** Names of secrets, by agent; the tenant's own under the empty name. */
  readonly secrets: ReadonlyMap<string, ReadonlySet<string>>
  readonly agent: (slug: string) => Promise<AgentView | undefined>
}

/** One agent with the grants that were added to it. */
export interface AgentView {
  readonly agent: Rule
  readonly grants: Rule | undefined
  readonly hasSkills?: boolean
}
