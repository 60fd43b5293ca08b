import { canonicalJson } from '../../core/kernel/json/canonical-json.ts'
import { type Issue, ToolError } from '../../core/kernel/errors.ts'
import { toAgentPolicy } from '../../core/policy/agent-policy.ts'
import type { Vocabulary } from '../../core/policy/level.ts'
import { cutFindings, maxFindings } from '../../core/schema/findings.ts'
import { describeKnown } from '../../core/patterns/nearest-name.ts'
import type { AgentSpec } from '../../core/rules/rule-schemas.ts'
import type { TenantTools } from '../../core/rules/tools-of.ts'

interface Surroundings {
  words: Vocabulary
  tools: TenantTools
  /** Its previous settings: unchanged ones need no tool, which may be temporarily missing. */
  before?: AgentSpec['settings']
}

/**
 * Checks beyond the schema: unknown patterns, profiles and groups, settings of unknown tools, and
 * options that do not match their tool. Throws `invalid_policy`.
 */
export function checkAgentSpec(spec: AgentSpec, { words, tools, before = {} }: Surroundings): void {
  toAgentPolicy(spec, words)
  const changed = Object.entries(spec.settings).filter(
    ([name, settings]) =>
      !Object.hasOwn(before, name) || canonicalJson(before[name]) !== canonicalJson(settings),
  )
  const issues = findSettingIssues({ ...spec, settings: Object.fromEntries(changed) }, tools)
  if (issues.length === 0) return
  const [first] = issues
  throw new ToolError('invalid_policy', `In agent ${spec.slug}: ${first?.message}`, { issues })
}

/** Problems with the settings of an agent, by place. */
export function findSettingIssues(spec: AgentSpec, tools: TenantTools): Issue[] {
  const issues: Issue[] = []
  for (const [name, settings] of Object.entries(spec.settings)) {
    issues.push(...findIssuesOf(name, settings, tools))
    // An unknown name is compared with all known names.
    if (issues.length > maxFindings) return cutFindings(issues)
  }
  return issues
}

function findIssuesOf(
  name: string,
  settings: AgentSpec['settings'][string],
  tools: TenantTools,
): Issue[] {
  const path = `/settings/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
  const entry = tools.find(name)
  if (entry === undefined) {
    const known = tools.list().map(({ contract }) => contract.name)
    return [{ path, message: `no tool is called ${name}; ${describeKnown(name, known)}` }]
  }
  if (settings.execution !== undefined && entry.contract.execution === 'external') {
    const message = `${name} is completed by an external worker, so its execution can't be set`
    return [{ path: `${path}/execution`, message }]
  }
  if (settings.options === undefined) return []
  const parsed = entry.tool.parseOptions(settings.options)
  if (parsed.ok) return []
  return parsed.issues.map((issue) => ({
    path: `${path}/options${issue.path}`,
    message: `the options of ${name} do not fit: ${issue.path} ${issue.message}`,
  }))
}
