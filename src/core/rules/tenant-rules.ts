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
  /** Rules for the whole tenant, by name. Without agents and their grants. */
  list(tenant: string, kind: RuleKind): Promise<readonly Rule[]>
  hasAgent(tenant: string, slug: string): Promise<boolean>
  /** The profiles and groups that patterns of the tenant may name. */
  findWords(tenant: string): Promise<Vocabulary>
  /** The tools of the tenant; those of other tenants are hidden, including their names. */
  tools(tenant: string): readonly NamedTool[]
  /** Labels of the configuration first, then the tenant's own, each by pattern. */
  listLabels(tenant: string): Promise<readonly LabelRule[]>
  /** Warns about patterns that match no tool of the tenant. `where` names the field they are in. */
  findPatternWarnings(tenant: string, lists: readonly WrittenPatterns[]): Promise<string[]>
  /** All current rules of a tenant; undefined for an unknown tenant. */
  findView(tenant: string): Promise<TenantView | undefined>
  /** The effect of a set of rules on a tenant: its vocabulary, and the scopes of its callers. */
  applyView(view: TenantView): { words: Vocabulary; scopeFor(caller: Caller): Promise<Scope> }
  /** Loads changes that were just stored. */
  refresh(): Promise<void>
}
