import type { Store } from '../../core/ports.ts'
import type { TenantRules } from '../../core/rules/tenant-rules.ts'
import type { NamedLimit } from './schemas.ts'

/** What the operations on limits work with. */
export interface LimitParts {
  store: Pick<Store, 'rules' | 'keys' | 'limits' | 'usage' | 'now'>
  rules: TenantRules
  /** Limits that the configuration sets for every tenant. */
  everywhere: readonly NamedLimit[]
}
