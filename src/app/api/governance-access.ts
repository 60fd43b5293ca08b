import type { GovernanceApi } from '../../core/rules/governance-api.ts'
import { type AgentAccessOptions, createAgentAccess } from './agent-access.ts'
import { createCatalogueAccess } from './catalogue-access.ts'
import { createPolicyDocumentAccess } from './policy-document-access.ts'
import { createGrantAccess } from './grant-access.ts'
import { createPatternMatches } from './pattern-matches.ts'
import { createSimulation } from './simulate.ts'
import type { Store } from '../../core/ports.ts'
import type { SkillLevels } from '../skills/skill-levels.ts'

type GovernanceOptions = AgentAccessOptions & {
  skillLevels: SkillLevels
  store: Store
  env: Readonly<Record<string, string | undefined>>
}

/** What operators do with agents, grants and policies. */
export function createGovernanceAccess(options: GovernanceOptions): GovernanceApi {
  const env = new Set(Object.keys(options.env).filter((name) => options.env[name]))
  return {
    ...createAgentAccess(options),
    ...createGrantAccess(options),
    ...createPolicyDocumentAccess(options),
    ...createSimulation({ ...options, env }),
    ...createCatalogueAccess(options),
    ...createPatternMatches(options),
  }
}
