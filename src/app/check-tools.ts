import type { LoadReport } from '../core/crib-api.ts'
import { createRegistry, type RegisteredTool } from '../core/registry.ts'
import { lintTool } from '../core/schema/lint-tool.ts'
import type { CheckFinding, CheckOptions, CheckReport } from '../surfaces/cli/environment.ts'
import { findAgentProblems } from './agents/check-agents.ts'
import { loadConfig } from './load-config.ts'
import { createLoader } from './loader/create-loader.ts'
import { checkSkills } from './skills/check-skills.ts'

/** Loads and lints every tool of the folders, and reads every skill. Opens no store and runs no tool. */
export async function checkTools(options: CheckOptions): Promise<CheckReport> {
  const {
    config,
    file = '',
    base,
    folders,
    mustFindFolders,
  } = await loadConfig({
    cwd: options.cwd,
    file: options.config,
    tools: options.tools,
  })
  const registry = createRegistry()
  const loader = createLoader({
    folders,
    mustFindFolders,
    registry,
    readEnv: (names) => Object.fromEntries(names.map((name) => [name, ''])),
  })
  const reports = await loader.load()
  const findings = [
    ...reports.flatMap(loadFindings),
    ...registry.list().flatMap(toolFindings),
    ...(await checkSkills({ config, base, registry })),
    ...(await findAgentProblems(config)).map(({ slug, message }) => ({
      file,
      severity: 'error' as const,
      rule: 'agent',
      message: `Agent ${slug}: ${message}`,
    })),
  ]
  return { files: reports.length, tools: registry.list().length, findings }
}

function loadFindings(report: LoadReport): CheckFinding[] {
  const { file, error } = report
  if (error !== undefined) return [{ file, severity: 'error', rule: 'load', ...error }]
  if (report.tools.length > 0) return []
  return report.warnings.map((message) => ({ file, severity: 'warning', rule: 'load', message }))
}

function toolFindings({ tool, file = '' }: RegisteredTool): CheckFinding[] {
  return lintTool(tool).map((finding) => ({ file, tool: tool.contract.name, ...finding }))
}
