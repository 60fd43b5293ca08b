import type { TenantRules } from '../../core/rules/tenant-rules.ts'
import type { Caller } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import type { PipelinePorts } from '../../core/pipeline/ports.ts'
import { findToolState } from '../../core/policy/tool-state.ts'
import type { RegisteredTool } from '../../core/registry.ts'
import type { Keyring } from '../../core/secrets/keyring.ts'
import type { SecretVault } from '../../core/vault-ports.ts'
import { mergeRequirements, type SharedRequirement } from './merge-requirements.ts'

/** The dependencies of the operations on secrets. */
export interface SecretParts {
  secrets: SecretVault
  keyring: Keyring
  pipeline: Pick<PipelinePorts, 'registry' | 'scopeFor' | 'readEnv'>
  rules: Pick<TenantRules, 'refresh' | 'hasAgent'>
}

/** Tools that this caller sees, or would see if they had what they need. */
export async function toolsFor(
  caller: Caller,
  { pipeline: { registry, scopeFor } }: Pick<SecretParts, 'pipeline'>,
): Promise<RegisteredTool[]> {
  const scope = await scopeFor(caller)
  return registry.list(scope.tenant).filter((entry) => findToolState(entry, scope) !== undefined)
}

/**
 * The requirements of the tenant's tools for a value, including tools that this caller does not
 * see.
 */
export function findRequirement(
  name: string,
  { tenant }: Caller,
  { pipeline }: Pick<SecretParts, 'pipeline'>,
): SharedRequirement | undefined {
  const contracts = pipeline.registry
    .list()
    .map(({ contract }) => contract)
    .filter(({ tenants }) => tenants.length === 0 || tenants.includes(tenant))
  return mergeRequirements(contracts).find((requirement) => requirement.name === name)
}

export function secretNotFound(name: string): ToolError {
  return new ToolError('not_found', `No secret ${JSON.stringify(name.slice(0, 100))} is set`, {
    fix: 'toolcrib secrets lists those that are set, for the tenant or for an agent.',
  })
}
