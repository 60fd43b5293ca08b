import type { Store } from '../../core/ports.ts'
import type { Registry } from '../../core/registry.ts'
import { findAgentProblems } from '../agents/check-agents.ts'
import { findSettingIssues } from '../api/check-agent.ts'
import type { Config } from '../config-schema.ts'
import { tenantsOf } from './declared.ts'

/**
 * What stops no start, because a file that does not load must not, and still is most often a slip:
 * tools for tenants that are not there, and settings of declared agents that fit no tool.
 */
export async function findOddRules(
  config: Config,
  { registry, store }: { registry: Registry; store: Pick<Store, 'tenants'> },
): Promise<string[]> {
  const settings = tenantsOf(config).flatMap(({ agents }) => findOddSettings(agents, registry))
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
    missing.push(`${tool} is for the tenant ${slug}, which is not there: nobody sees it by that`)
  }
  return [...settings, ...broken, ...missing]
}

function findOddSettings(
  agents: ReturnType<typeof tenantsOf>[number]['agents'],
  registry: Registry,
): string[] {
  // Agents that can be asked are tools of their tenant, which the registry does not hold.
  const asked = new Set(agents.flatMap((one) => (one.description ? [`agent:${one.slug}`] : [])))
  return agents.flatMap((agent) => {
    const others = Object.entries(agent.settings).filter(([name]) => !asked.has(name))
    const issues = findSettingIssues({ ...agent, settings: Object.fromEntries(others) }, registry)
    return issues.map(({ message }) => `Agent ${agent.slug}: ${message}`)
  })
}
