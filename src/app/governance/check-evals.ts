import type { Issue } from '../../core/kernel/errors.ts'
import type { ToolEval } from '../../core/kernel/trial/tool-eval.ts'
import type { Registry } from '../../core/registry.ts'
import { findEvalIssues, findUnknownTools } from '../../core/trials/evals/check-evals.ts'
import type { CheckFinding } from '../../doors/cli/environment.ts'
import type { Config } from '../config/config-schema.ts'
import { tenantsOf } from './declared.ts'
import { declaredAskable } from './rule-slips.ts'

interface Surroundings {
  /** The configuration file. */
  file: string
  tools: Pick<Registry, 'find' | 'list'>
}

/**
 * Problems of the evals of tools and of configured agents. Unknown tools are warnings: those of MCP
 * servers and APIs, and authored ones, are only known to a running server.
 */
export function findEvalFindings(config: Config, { file, tools }: Surroundings): CheckFinding[] {
  const tenants = tenantsOf(config)
  const askable = tenants.flatMap(declaredAskable).map((slug) => `agent:${slug}`)
  const names = () => [...tools.list().map(({ contract }) => contract.name), ...askable]
  const isKnown = (name: string) => tools.find(name) !== undefined || askable.includes(name)
  const findIn = (evals: readonly ToolEval[] = []) => [
    ...findEvalIssues(evals).map((issue) => toFinding(issue, 'error')),
    ...findUnknownTools(evals, { isKnown, names }).map((issue) => toFinding(issue, 'warning')),
  ]
  const ofTools = tools
    .list()
    .flatMap(({ contract: { name, evals }, file: own = '' }) =>
      findIn(evals).map((finding) => ({ ...finding, file: own, tool: name })),
    )
  const ofAgents = tenants
    .flatMap(({ agents }) => agents)
    .flatMap(({ slug, evals }) =>
      findIn(evals).map(({ message, path, ...finding }) => ({
        ...finding,
        file,
        message: `Agent ${slug}: ${path} ${message}`,
      })),
    )
  return [...ofTools, ...ofAgents]
}

function toFinding(issue: Issue, severity: CheckFinding['severity']) {
  return { severity, rule: 'eval', ...issue }
}
