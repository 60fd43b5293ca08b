import type { ProfileSpec } from '../../core/policy/vocabulary.ts'
import type { Stores } from '../stores.ts'
import type { Registry } from '../../core/registry.ts'
import type { TenantRules } from '../../core/rules/tenant-rules.ts'

/** The dependencies of the operations on policies. */
export interface PolicyParts {
  store: Pick<Stores, 'rules' | 'catalogue'>
  registry: Pick<Registry, 'find' | 'list' | 'packs'>
  rules: TenantRules
  /** The configured rules for every tenant. */
  config: PolicyConfig
}

export interface PolicyConfig {
  readonly profiles: Readonly<Record<string, ProfileSpec>>
  readonly groups: Readonly<Record<string, readonly string[]>>
  readonly catalogue: { readonly keepDays: number }
}
