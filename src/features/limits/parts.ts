import type { Stores } from '../stores.ts'
import type { TenantRules } from '../../core/rules/tenant-rules.ts'
import type { NamedLimit } from './schemas.ts'

/** The dependencies of the operations on limits. */
export interface LimitParts {
  store: Pick<Stores, 'rules' | 'keys' | 'limits' | 'usage' | 'now'>
  rules: TenantRules
  /** Limits that the configuration sets for every tenant. */
  everywhere: readonly NamedLimit[]
}
