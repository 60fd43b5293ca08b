import type { Caller, Principal } from '../../core/kernel/call.ts'
import type { Scope } from '../../core/policy/scope.ts'
import type { Stores } from '../stores.ts'
import type { WorkspaceAccess } from '../../core/pipeline/ports.ts'
import type { Registry } from '../../core/registry.ts'
import type { TenantRules } from '../../core/rules/tenant-rules.ts'
import type { PolicyConfig } from '../policies/parts.ts'

/** A principal with its permissions. */
export interface FoundPrincipal {
  principal: Principal
  permissions: readonly string[]
  /** Why they no longer have access: `the key k1 is revoked`. */
  isOver?: string
  /** The agent they are bound to. */
  agent?: string
}

/** The current state of `member:<id>`, `key:<id>` or `role:<name>`. Throws not_found. */
export type FindPrincipal = (tenant: string, as: string) => Promise<FoundPrincipal>

/** The dependencies of explain. */
export interface ExplainParts {
  registry: Registry
  scopeFor(caller: Caller): Scope | Promise<Scope>
  store: Pick<Stores, 'calls' | 'events' | 'sessionFlags' | 'catalogue' | 'rules'>
  rules: Pick<TenantRules, 'findView' | 'findWords'>
  findPrincipal: FindPrincipal
  workspaceAccess: WorkspaceAccess
  config: ExplainConfig
}

export interface ExplainConfig extends PolicyConfig {
  readonly packs: Readonly<Record<string, boolean>>
}
