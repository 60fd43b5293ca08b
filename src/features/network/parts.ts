import type { Store } from '../../core/ports.ts'
import type { Registry } from '../../core/registry.ts'
import type { TenantRules } from '../../core/rules/tenant-rules.ts'
import type { NetworkConfig } from './config.ts'

/** The dependencies of the operations on network rules. */
export interface NetworkParts {
  store: Pick<Store, 'rules'>
  rules: TenantRules
  registry: Pick<Registry, 'find'>
  settings: NetworkConfig
}
