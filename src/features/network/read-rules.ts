import { toSetBy } from '../../core/rules/read-rules.ts'
import type { Rule } from '../../core/rules/rule-store.ts'
import type { NetworkConfig } from './config.ts'
import { readRule } from './levels.ts'
import type { NetworkRulesView, NetworkRuleView } from './schemas.ts'

/** The packs whose programs run in a sandbox: their hosts are closed unless a rule names the pack. */
export const sandboxPacks = ['shell', 'process', 'git'] as const

export function isSandboxPack(pack: string): boolean {
  return sandboxPacks.some((name) => name === pack)
}

export function toView(rule: Rule): NetworkRuleView {
  const { name: id, version, updatedAt: setAt, updatedBy } = rule
  const declared = rule.isDeclared ? { isDeclared: true } : {}
  const facts = { id, setBy: toSetBy(rule), setAt, updatedBy, version, ...declared }
  const { spec } = readRule(rule)
  if (spec !== undefined) return { ...spec, ...facts }
  const closed = 'It is stored in an unknown format; until it is replaced, every host is refused'
  return { ...facts, allow: [], deny: [], closed }
}

export function toViews(own: readonly Rule[], settings: NetworkConfig): NetworkRulesView {
  return { rules: own.map(toView), defaults: toDefaults(settings) }
}

/** Rules that hold in every tenant. */
function toDefaults({ allow, deny, packs }: NetworkConfig): NetworkRuleView[] {
  const setBy = 'configuration'
  const general = { id: 'network', allow, deny, setBy }
  const ofPacks = Object.entries(packs).map(([pack, hosts]) => ({
    id: `network.packs.${pack}`,
    pack,
    ...hosts,
    setBy,
  }))
  const built = { deny: [], setBy: 'toolcrib' }
  return [
    ...(allow.length + deny.length > 0 ? [general] : []),
    ...ofPacks,
    { id: 'tools', allow: ['*'], ...built, note: 'Tools reach public hosts' },
    ...sandboxPacks.map((pack) => ({
      id: `sandbox-${pack}`,
      pack,
      allow: [],
      ...built,
      note: 'Programs in the sandbox reach only hosts that a rule for their pack allows',
    })),
  ]
}
