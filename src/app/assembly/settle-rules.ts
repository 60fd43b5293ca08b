import type { Registry } from '../../core/registry.ts'
import { syncDeclaredSkills } from '../../features/skills/declared/declared-skills.ts'
import type { Parts } from '../parts.ts'
import { syncCatalogue } from '../../features/policies/catalogue/catalogue-sync.ts'
import { checkDeclared, syncDeclared, tenantsOf } from '../governance/declared.ts'
import { followRegistry } from '../governance/follow-registry.ts'
import { findOddRules } from '../governance/odd-rules.ts'

interface SettleOptions {
  /** The folder of the configuration; relative paths in it start here. */
  base: string
  isRunner: boolean
  onOddRule?: (message: string) => void
}

/**
 * Once all tools are loaded, checks and stores what configuration declares, and compares the tools
 * with the stored catalogue. Returns a function that stops following them.
 */
export async function settleRules(
  parts: Parts,
  { base, isRunner, onOddRule = parts.onWarning }: SettleOptions,
): Promise<() => void> {
  const { config, store, registry, scopes, views, rules, skills, onWarning } = parts
  checkDeclared(config, registry.packs())
  await syncDeclared(config, store, base)
  await views.refresh()
  const tenants = tenantsOf(config)
  await syncDeclaredSkills({ tenants, base, stores: skills.stores, rules, onWarning })
  for (const odd of await findOddRules(config, parts)) onOddRule(odd)
  if (isRunner) {
    const { findStranded } = await import('../agents/stranded-turns.ts')
    const slugs = tenants.map(({ slug }) => slug)
    for (const stranded of await findStranded(slugs, store)) onWarning(stranded)
  }
  await store.toolDirectory?.announce(() => (isRunner ? toolNames(registry) : []))
  const keepMs = config.catalogue.keepDays * 86_400_000
  const catalogue = { store, registry, keepMs, now: store.now }
  if (isRunner) await syncCatalogue({ ...catalogue, isStart: true })
  const onChange = async () => (isRunner ? syncCatalogue(catalogue) : undefined)
  return followRegistry({ registry, scopes, events: store.events, onChange, onWarning })
}

function toolNames(registry: Registry): string[] {
  return registry.list().map(({ contract }) => contract.name)
}
