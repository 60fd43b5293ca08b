import { toNamed } from '../../core/policy/compiled-scope.ts'
import { shippedGroups } from '../../core/patterns/groups.ts'
import { shippedProfiles } from '../../core/policy/profiles.ts'
import type { Explanation } from '../../core/policy/scope.ts'
import type { RegisteredTool } from '../../core/registry.ts'
import { readPacks } from '../../core/rules/read-rules.ts'
import { type TenantTools, toolsOf } from '../../core/rules/tools-of.ts'
import { ownValue } from '../../core/kernel/json/json-type.ts'
import type { ExplainParts } from './parts.ts'
import type { AgentTool, PolicyWords, WordOrigin } from './schemas.ts'

/** The names that patterns and levels of a tenant may use, with their origin. */
export async function listWords(
  tenant: string,
  { rules, registry, config }: Pick<ExplainParts, 'rules' | 'registry' | 'config'>,
): Promise<PolicyWords> {
  const [view, words] = await Promise.all([rules.findView(tenant), rules.findWords(tenant)])
  return {
    profiles: Object.entries(words.profiles).map(([name, { allow, deny }]) => {
      const origin = originOf(name, shippedProfiles, config.profiles)
      return { name, origin, allow, deny }
    }),
    groups: Object.entries(words.groups).map(([name, patterns]) => {
      const isOwn = (view?.rules.get('group') ?? []).some((rule) => rule.name === name)
      const origin = originOf(name, shippedGroups, config.groups)
      // Groups created by packs do not belong to the tenant.
      return { name, patterns, origin: origin === 'tenant' && !isOwn ? 'shipped' : origin }
    }),
    packs: listPacks(toolsOf(registry, tenant), readPacks(config.packs, view)),
  }
}

/** An agent's access to one tool. Explain shows every layer. */
export function toAgentTool(
  { tool, visible, verdict, reasons }: Explanation,
  entry: RegisteredTool,
): AgentTool {
  const { title, effect } = entry.contract
  const [reason] = reasons
  return {
    tool,
    title,
    effect,
    pack: toNamed(entry).pack,
    decision: !visible || verdict === 'deny' ? 'hidden' : verdict,
    ...(reason !== undefined && { reason }),
  }
}

export function countByDecision(tools: readonly AgentTool[]) {
  const counts = { all: tools.length, allow: 0, ask: 0, hidden: 0 }
  for (const { decision } of tools) counts[decision] += 1
  return counts
}

function originOf(name: string, shipped: object, configured: object): WordOrigin {
  if (Object.hasOwn(shipped, name)) return 'shipped'
  return Object.hasOwn(configured, name) ? 'configuration' : 'tenant'
}

/** Packs that have a tool for this tenant, and whether they are on. */
function listPacks(
  tools: TenantTools,
  switches: ReturnType<typeof readPacks>,
): PolicyWords['packs'] {
  const packs = new Map<string, PolicyWords['packs'][number]>()
  for (const entry of tools.list()) {
    const { pack: name } = toNamed(entry)
    const known = packs.get(name)
    if (known !== undefined) known.tools += 1
    else packs.set(name, { name, ...stateOf(entry, ownValue(switches, name)), tools: 1 })
  }
  return [...packs.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

function stateOf(
  { packOptIn: isOptIn }: RegisteredTool,
  word: ReturnType<typeof readPacks>[string] = {},
) {
  const isSet = word.tenant !== undefined || word.everyone !== undefined
  const setBy = word.tenant === undefined && isSet ? 'configuration' : word.setBy
  const isOn = word.tenant ?? word.everyone ?? !isOptIn
  return { isOptIn, isOn, ...(setBy !== undefined && { setBy }) }
}
