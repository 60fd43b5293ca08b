import type { Store } from '../../core/ports.ts'
import type { Registry } from '../../core/registry.ts'
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
  const settings = tenantsOf(config).flatMap(({ agents }) =>
    agents.flatMap((agent) =>
      findSettingIssues(agent, registry).map(({ message }) => `Agent ${agent.slug}: ${message}`),
    ),
  )
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
  return [...settings, ...missing]
}
