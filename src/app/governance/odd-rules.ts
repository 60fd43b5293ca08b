import type { Stores } from '../../features/stores.ts'
import type { Registry } from '../../core/registry.ts'
import { agentSchema } from '../../core/rules/rule-schemas.ts'
import { findAgentProblems } from './check-agents.ts'
import type { Config } from '../config/config-schema.ts'
import { tenantsOf } from './declared.ts'
import { findRuleSlips } from './rule-slips.ts'

type Needed = Pick<Stores, 'tenants' | 'rules'>

/**
 * Problems that do not stop a start, because a file that fails to load must not, but are most often
 * mistakes: tools for unknown tenants, and rules that name no tool.
 */
export async function findOddRules(
  config: Config,
  { registry, store }: { registry: Registry; store: Stores },
): Promise<string[]> {
  const asked = new Map<string, string[]>()
  for (const { slug } of tenantsOf(config)) asked.set(slug, await findAskable(slug, store))
  const slips = findRuleSlips(config, {
    tools: registry,
    packs: registry.packs(),
    askable: ({ slug }) => asked.get(slug) ?? [],
  })
  const problems = await findAgentProblems(config)
  const broken = problems.map(({ slug, message }) => `Agent ${slug}: ${message}`)
  const named = new Map(
    registry
      .list()
      .flatMap(({ contract }) =>
        contract.tenants.map((slug): [string, string] => [slug, contract.name]),
      ),
  )
  const missing: string[] = []
  for (const [slug, tool] of named) {
    if ((await store.tenants.find(slug)) !== undefined) continue
    missing.push(`${tool} is for the tenant ${slug}, which does not exist`)
  }
  return [...slips, ...broken, ...missing, ...(await findIdleNetworkRules(config, store))]
}

/** Agents that people have created count as well. */
async function findIdleNetworkRules(config: Config, { rules }: Stores): Promise<string[]> {
  const idle: string[] = []
  for (const { slug, network } of tenantsOf(config)) {
    for (const { id, agent } of network) {
      if (agent === undefined || (await rules.find(slug, 'agent', agent)) !== undefined) continue
      idle.push(`Network rule ${id} of tenant ${slug}: there is no agent ${agent}`)
    }
  }
  return idle
}

/** More agents than this are not offered as tools. */
const mostAgents = 2_000

/** Includes agents created at run time. */
async function findAskable(tenant: string, { rules }: Needed): Promise<string[]> {
  const { items } = await rules.page(tenant, 'agent', { limit: mostAgents })
  return items.flatMap(({ name, body }) => {
    const spec = agentSchema.safeParse(body)
    return spec.success && spec.data.description !== undefined ? [name] : []
  })
}
