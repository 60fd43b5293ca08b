import type { LoadReport } from '../core/crib-api.ts'
import { createRegistry, type RegisteredTool, type Registry } from '../core/registry.ts'
import { createPackTools } from '../core/sources/pack-tools.ts'
import { assertNoneRefused } from '../core/sources/tool-source.ts'
import { createToolSources } from '../core/sources/tool-sources.ts'
import { findTestIssues } from '../core/trials/check-tests.ts'
import { findEvalFindings } from './governance/check-evals.ts'
import { lintTool } from '../core/schema/lint-tool.ts'
import type { Config } from './config/config-schema.ts'
import type { CheckFinding, CheckOptions, CheckReport } from '../doors/cli/environment.ts'
import { findAgentProblems } from './governance/check-agents.ts'
import { declaredAskable, findRuleSlips } from './governance/rule-slips.ts'
import { loadConfig } from './config/load-config.ts'
import { createLoader } from './loader/create-loader.ts'
import { checkSkills } from './governance/check-skills.ts'
import { packs } from '../tools/packs.ts'

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
  const builtIn = await openBuiltIn()
  const loader = createLoader({
    folders,
    mustFindFolders,
    others: builtIn,
    knowsAll: true,
    readEnv: (names) => Object.fromEntries(names.map((name) => [name, ''])),
  })
  await createToolSources(registry).attach(loader.source)
  const reports = await loader.load()
  const all = joinTools(registry, builtIn)
  const findings = [
    ...reports.flatMap(loadFindings),
    ...registry.list().flatMap(toolFindings),
    ...findEvalFindings(config, { file, tools: all }),
    ...(await checkSkills({ config, base, registry })),
    ...(await findAgentProblems(config)).map(({ slug, message }) => ({
      file,
      severity: 'error' as const,
      rule: 'agent',
      message: `Agent ${slug}: ${message}`,
    })),
    ...findSlips(config, all).map((message) => ({
      file,
      severity: 'warning' as const,
      rule: 'policy',
      message,
    })),
  ]
  return { files: reports.length, tools: registry.list().length, findings }
}

async function openBuiltIn(): Promise<Registry> {
  const builtIn = createRegistry()
  assertNoneRefused(await createToolSources(builtIn).attach(createPackTools(packs)))
  return builtIn
}

type KnownTools = Pick<Registry, 'find' | 'list' | 'packs'>

function joinTools(files: Registry, builtIn: Registry): KnownTools {
  return {
    find: (name) => files.find(name) ?? builtIn.find(name),
    list: () => [...files.list(), ...builtIn.list()],
    packs: () => [...files.packs(), ...builtIn.packs()],
  }
}

/** Without a store: agents and MCP servers that were added at run time are not known here. */
function findSlips(config: Config, tools: KnownTools): string[] {
  return findRuleSlips(config, { tools, packs: tools.packs(), askable: declaredAskable })
}

function loadFindings(report: LoadReport): CheckFinding[] {
  const { file, error, findings = [] } = report
  const errors = findings.filter(({ severity }) => severity === 'error')
  if (errors.length > 0 || (error === undefined && findings.length > 0)) {
    const [tool] = report.tools
    return findings.map((finding) => ({
      file,
      ...(tool !== undefined && { tool }),
      rule: 'document',
      ...finding,
    }))
  }
  if (error !== undefined) return [{ file, severity: 'error', rule: 'load', ...error }]
  if (report.tools.length > 0) return []
  return report.warnings.map((message) => ({ file, severity: 'warning', rule: 'load', message }))
}

function toolFindings({ tool, file = '' }: RegisteredTool): CheckFinding[] {
  const tests = findTestIssues(tool).map((issue) => ({
    severity: 'error' as const,
    rule: 'test',
    ...issue,
  }))
  return [...lintTool(tool), ...tests].map((finding) => ({
    file,
    tool: tool.contract.name,
    ...finding,
  }))
}
