import type { NetworkLevel, NetworkRule } from '../../core/host/decide-host.ts'
import type { NetworkScope } from '../../core/host/network-policy.ts'
import { type HostPattern, parseHostPattern } from '../../core/net/host-pattern.ts'
import { toSetBy } from '../../core/rules/read-rules.ts'
import type { Rule } from '../../core/rules/rule-store.ts'
import type { NetworkConfig } from './config.ts'
import { networkRuleSpec, type NetworkRuleSpec } from './schemas.ts'

export type NetworkSettings = Pick<NetworkConfig, 'allow' | 'deny' | 'packs'>

/** The levels of a scope, the outermost first: the configuration, the tenant, each agent. */
export function toLevels(
  scope: Pick<NetworkScope, 'agent' | 'parents' | 'pack'>,
  settings: NetworkSettings,
  rules: readonly Rule[],
): NetworkLevel[] {
  const own = rules.map(readRule)
  const fits = ({ spec }: ReadRule) => spec?.pack === undefined || spec.pack === scope.pack
  const ofAgent = (slug: string) => own.filter(({ spec }) => spec?.agent === slug).filter(fits)
  const ofTenant = own.filter(({ spec }) => spec?.agent === undefined).filter(fits)
  const agents = [...(scope.parents ?? []).toReversed(), scope.agent].filter(
    (slug) => slug !== undefined,
  )
  return [
    { name: 'global', rules: globalRules(scope.pack, settings) },
    { name: 'tenant', rules: ofTenant.map(toNetworkRule) },
    ...agents.map((slug) => ({ name: `agent:${slug}`, rules: ofAgent(slug).map(toNetworkRule) })),
  ]
}

export interface ReadRule {
  rule: Rule
  /** Undefined for a body in an unknown format. */
  spec: NetworkRuleSpec | undefined
}

interface Compiled {
  allow: readonly HostPattern[]
  deny: readonly HostPattern[]
}

const read = new WeakMap<Rule, ReadRule>()
const compiled = new WeakMap<object, Compiled>()

/** Rules in memory stay the same objects until they change. */
export function readRule(rule: Rule): ReadRule {
  const known = read.get(rule)
  if (known !== undefined) return known
  const parsed = networkRuleSpec.safeParse(rule.body)
  const found = { rule, spec: parsed.success ? parsed.data : undefined }
  read.set(rule, found)
  return found
}

function toNetworkRule({ rule, spec }: ReadRule): NetworkRule {
  const facts = { id: rule.name, setBy: toSetBy(rule) }
  if (spec === undefined) {
    const closed = 'a rule is stored in an unknown format, so it refuses everything'
    return { ...facts, allow: [], deny: [], isForPack: false, closed }
  }
  return { ...facts, ...compile(spec), isForPack: spec.pack !== undefined }
}

function globalRules(pack: string, settings: NetworkSettings): NetworkRule[] {
  const { packs } = settings
  const own = Object.hasOwn(packs, pack) ? packs[pack] : undefined
  const toRule = (
    id: string,
    hosts: Pick<NetworkRuleSpec, 'allow' | 'deny'>,
    isForPack: boolean,
  ) => ({
    id,
    setBy: 'configuration',
    isForPack,
    ...compile(hosts),
  })
  const rules = [toRule('network', settings, false)]
  return own === undefined ? rules : [...rules, toRule(`network.packs.${pack}`, own, true)]
}

function compile(hosts: Pick<NetworkRuleSpec, 'allow' | 'deny'>): Compiled {
  const known = compiled.get(hosts)
  if (known !== undefined) return known
  const toPatterns = (texts: readonly string[]) =>
    texts.map(parseHostPattern).filter((pattern) => pattern !== undefined)
  const made = { allow: toPatterns(hosts.allow), deny: toPatterns(hosts.deny) }
  compiled.set(hosts, made)
  return made
}
