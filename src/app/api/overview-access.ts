import type { ExplainApi } from '../../core/explain/explain-api.ts'
import type {
  AgentTool,
  AgentToolQuery,
  OverviewApi,
  PolicyWords,
  WordOrigin,
} from '../../core/explain/overview-api.ts'
import { toNamed } from '../../core/policy/compiled-scope.ts'
import { shippedGroups } from '../../core/policy/groups.ts'
import { shippedProfiles } from '../../core/policy/profiles.ts'
import type { Explanation } from '../../core/policy/scope.ts'
import { fitsWords } from '../../core/search/fits-words.ts'
import { readPacks } from '../../core/rules/read-rules.ts'
import { toWords } from '../governance/tenant-scopes.ts'
import { type TenantTools, toolsOf } from '../../core/rules/tools-of.ts'
import type { Registry } from '../../core/registry.ts'
import type { Config } from '../config-schema.ts'
import type { TenantViews } from '../governance/tenant-views.ts'
import { requireManager } from '../../core/operations/require-permission.ts'
import { ownValue } from '../../core/kernel/json/json-type.ts'

interface OverviewOptions extends Pick<ExplainApi, 'explain'> {
  config: Config
  registry: Registry
  views: TenantViews
}

/** What is decided, in lists that people choose from. */
export function createOverviewAccess(options: OverviewOptions): OverviewApi {
  const { config, registry, views, explain } = options
  return {
    async listAgentTools(caller, slug, { q, decision, after, limit, ...as }) {
      // Explain refuses whoever may not look at this agent.
      const { items: explained } = await explain(caller, { ...as, agent: slug })
      const tools = explained.flatMap(({ tool, ...rest }) => {
        const entry = registry.find(tool, caller.tenant)
        return entry === undefined ? [] : [toAgentTool({ tool, ...rest }, entry)]
      })
      const found = tools.filter((tool) => fits(tool, q))
      const chosen = found.filter(
        (tool) =>
          (decision === undefined || tool.decision === decision) &&
          (after === undefined || tool.tool > after),
      )
      const items = chosen.slice(0, limit)
      return {
        items,
        ...(chosen.length > limit && { next: items.at(-1)?.tool }),
        counts: countByDecision(found),
      }
    },
    async readPolicyWords(caller) {
      requireManager(caller, ['policy.read', 'policy.write', 'agents.manage'])
      const view = await views.find(caller.tenant)
      const words = toWords(view, config, registry.packs())
      return {
        profiles: Object.entries(words.profiles).map(([name, { allow, deny }]) => {
          const origin = originOf(name, shippedProfiles, config.profiles)
          return { name, origin, allow, deny }
        }),
        groups: Object.entries(words.groups).map(([name, patterns]) => {
          const isOwn = (view?.rules.get('group') ?? []).some((rule) => rule.name === name)
          const origin = originOf(name, shippedGroups, config.groups)
          // What packs make is no word of the tenant.
          return { name, patterns, origin: origin === 'tenant' && !isOwn ? 'shipped' : origin }
        }),
        packs: listPacks(toolsOf(registry, caller.tenant), readPacks(config.packs, view)),
      }
    },
  }
}

type Entry = NonNullable<ReturnType<Registry['find']>>

function toAgentTool({ tool, visible, verdict, reasons }: Explanation, entry: Entry): AgentTool {
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

/** Every word of the question is in the name or the title. */
function fits({ tool, title }: AgentTool, q: AgentToolQuery['q']): boolean {
  return fitsWords(q, [tool, title])
}

function countByDecision(tools: readonly AgentTool[]) {
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

function stateOf({ packOptIn: isOptIn }: Entry, word: ReturnType<typeof readPacks>[string] = {}) {
  const isSet = word.tenant !== undefined || word.everyone !== undefined
  const setBy = word.tenant === undefined && isSet ? 'configuration' : word.setBy
  const isOn = word.tenant ?? word.everyone ?? !isOptIn
  return { isOptIn, isOn, ...(setBy !== undefined && { setBy }) }
}
