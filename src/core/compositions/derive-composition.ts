import type { Effect, SecretRequirement, ToolContract } from '../kernel/tool.ts'
import type { KnownTools } from '../sources/known-tools.ts'
import type { CompositionSpec } from './spec.ts'

/** Facts that follow from the steps. Each step is still decided for itself when it is made. */
export interface DerivedComposition {
  /** The highest effect of its steps. */
  effect: Effect
  openWorld: boolean
  idempotent: boolean
  /** Of all steps: without them the composition is hidden, rather than stopped halfway. */
  secrets: readonly SecretRequirement[]
  /** If all steps that need one need the same. */
  permission?: string
}

const effects: readonly Effect[] = ['read', 'write', 'destructive']

/** Tools that are missing count as nothing: checks report them. */
export function deriveComposition(
  { steps }: Pick<CompositionSpec, 'steps'>,
  known: Pick<KnownTools, 'find'>,
): DerivedComposition {
  const contracts = steps.flatMap(({ tool }) => known.find(tool) ?? [])
  const rank = Math.max(0, ...contracts.map(({ effect }) => effects.indexOf(effect)))
  const effect = effects[rank] ?? 'destructive'
  const permissions = new Set(contracts.flatMap(({ permission }) => permission ?? []))
  const [permission] = permissions
  return {
    effect,
    openWorld: contracts.some(({ openWorld }) => openWorld),
    idempotent: effect === 'read',
    secrets: joinSecrets(contracts),
    ...(permissions.size === 1 && permission !== undefined && { permission }),
  }
}

/** One of each key; required if any step requires it. */
function joinSecrets(contracts: readonly ToolContract[]): SecretRequirement[] {
  const byKey = new Map<string, SecretRequirement>()
  for (const secret of contracts.flatMap(({ secrets }) => secrets)) {
    const known = byKey.get(secret.key)
    if (known === undefined || known.optional) byKey.set(secret.key, secret)
  }
  return [...byKey.values()]
}
