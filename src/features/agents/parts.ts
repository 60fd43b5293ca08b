import type { Caller } from '../../core/kernel/call.ts'
import type { Stores } from '../stores.ts'
import type { Registry } from '../../core/registry.ts'
import type { TenantRules } from '../../core/rules/tenant-rules.ts'

/** The dependencies of the operations on agents. */
export interface AgentParts {
  store: Pick<
    Stores,
    'now' | 'rules' | 'secrets' | 'approvals' | 'events' | 'keys' | 'conversations'
  >
  registry: Pick<Registry, 'find' | 'list'>
  rules: TenantRules
  /** Ends what other features keep for a deleted agent. */
  dropAgent(caller: Caller, slug: string): Promise<void>
}
