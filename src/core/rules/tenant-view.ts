import type { Rule, RuleKind } from './rule-store.ts'
import type { Tenant } from './tenant.ts'

/** The tenant-wide rules in memory: every call reads them, and none waits for a disk. */
export interface TenantView {
  readonly tenant: Tenant
  /** By kind, then by name. Without agents, their grants and pins: there may be thousands. */
  readonly rules: ReadonlyMap<RuleKind, readonly Rule[]>
  /** Names of secrets, by agent; the tenant's own under the empty name. */
  readonly secrets: ReadonlyMap<string, ReadonlySet<string>>
  /** Values of the secrets that decide whether a tool needs others, as an agent or nobody has them. */
  readonly choices: (agent: string | undefined) => Promise<ReadonlyMap<string, string>>
  readonly agent: (slug: string) => Promise<AgentView | undefined>
}

/** An agent with the grants added to it. */
export interface AgentView {
  readonly agent: Rule
  readonly grants: Rule | undefined
  readonly hasSkills?: boolean
}
