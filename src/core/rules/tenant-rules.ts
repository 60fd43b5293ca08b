import type { LabelRule } from '../kernel/tool-labels.ts'
import type { WrittenPatterns } from '../policy/idle-patterns.ts'
import type { Vocabulary } from '../policy/level.ts'
import type { NamedTool } from '../patterns/patterns.ts'
import type { Caller } from '../kernel/call.ts'
import type { Scope } from '../policy/scope.ts'
import type { Rule, RuleKind } from './rule-store.ts'
import type { TenantView } from './tenant-view.ts'

/** The rules of tenants as their calls apply them, held in memory. */
export interface TenantRules {
  /** Rules for the whole tenant, by name. Agents and their grants are not among them. */
  list(tenant: string, kind: RuleKind): Promise<readonly Rule[]>
  hasAgent(tenant: string, slug: string): Promise<boolean>
  /** The profiles and groups that patterns of the tenant may name. */
  findWords(tenant: string): Promise<Vocabulary>
  /** The tools of the tenant; those of other tenants are not shown, not even by name. */
  tools(tenant: string): readonly NamedTool[]
  /** Labels of the configuration first, then the tenant's own, each by pattern. */
  listLabels(tenant: string): Promise<readonly LabelRule[]>
  /** Warns about patterns that match no tool of the tenant. `where` names the field they are in. */
  findPatternWarnings(tenant: string, lists: readonly WrittenPatterns[]): Promise<string[]>
  /** All rules of a tenant as they stand; undefined for an unknown tenant. */
  findView(tenant: string): Promise<TenantView | undefined>
  /** What applies if these are the rules of a tenant: its words, and what its callers may do. */
  applyView(view: TenantView): { words: Vocabulary; scopeFor(caller: Caller): Promise<Scope> }
  /** Loads changes that were just stored. */
  refresh(): Promise<void>
}
