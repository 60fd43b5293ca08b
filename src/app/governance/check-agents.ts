import { findProviderToolProblems } from '../../agents/turn/model/provider-tools.ts'
import type { Config } from '../config/config-schema.ts'
import { tenantsOf } from './declared.ts'

/** Finds problems of declared agents other than those of their tools. */
export async function findAgentProblems(
  config: Config,
): Promise<{ slug: string; message: string }[]> {
  const agents = tenantsOf(config).flatMap((tenant) => tenant.agents)
  const found = await Promise.all(
    agents.map(async (agent) => {
      const problems = await findProviderToolProblems(agent)
      return problems.map((message) => ({ slug: agent.slug, message }))
    }),
  )
  return found.flat()
}
