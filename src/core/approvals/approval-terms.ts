import { ToolError } from '../kernel/errors.ts'
import { toDurationMs } from '../kernel/duration.ts'
import { compilePatterns, type NamedTool } from '../patterns/patterns.ts'
import type { ToolGroups } from '../patterns/groups.ts'
import type { ApprovalTerms } from './approval.ts'

/** The configured approvers. */
export interface ApprovalSettings {
  expiresIn: string
  allowSelf: boolean
  rules: readonly ApprovalSettingsRule[]
}

/** The first rule that matches a call sets its terms. */
export interface ApprovalSettingsRule {
  tools: readonly string[]
  agents?: readonly string[]
  approvers?: readonly string[]
  quorum?: number
  expiresIn?: string
  requester?: 'barred' | 'allowed'
}

const dayMs = 86_400_000

/** The terms for a call of this tool by this agent. */
export function findTerms(
  settings: ApprovalSettings,
  call: { tool: NamedTool; agent: string | undefined },
  groups: ToolGroups,
): ApprovalTerms {
  const rule = settings.rules.find((candidate) => fits(candidate, call, groups))
  const terms: ApprovalTerms = {
    needed: rule?.quorum ?? 1,
    isRequesterBarred:
      rule?.requester === undefined ? !settings.allowSelf : rule.requester === 'barred',
    expiresInMs: toDurationMs(rule?.expiresIn ?? settings.expiresIn) ?? dayMs,
  }
  return rule?.approvers === undefined ? terms : { ...terms, approvers: rule.approvers }
}

function fits(
  { tools, agents }: ApprovalSettingsRule,
  { tool, agent }: { tool: NamedTool; agent: string | undefined },
  groups: ToolGroups,
): boolean {
  if (agents !== undefined && (agent === undefined || !agents.includes(agent))) return false
  return compilePatterns(tools, groups).findUnderAnyName(tool) !== undefined
}

/**
 * Throws for a rule that could never be met or names something unknown: at startup, not at the
 * first call.
 */
export function checkApprovalSettings(
  { rules }: ApprovalSettings,
  known: { groups: ToolGroups; agents: ReadonlySet<string> },
): void {
  for (const [index, { tools, agents, approvers, quorum }] of rules.entries()) {
    const place = `approvals.rules.${index}`
    compilePatterns(tools, known.groups)
    const stranger = agents?.find((agent) => !known.agents.has(agent))
    if (stranger !== undefined)
      throw invalid(`${place}.agents names ${stranger}, which no tenant has`)
    const people = approvers?.every((approver) => !approver.startsWith('permission:'))
    if (people && new Set(approvers).size < (quorum ?? 1)) {
      throw invalid(`${place} requires ${quorum} people but names ${new Set(approvers).size}`)
    }
  }
}

function invalid(message: string): ToolError {
  return new ToolError('invalid_config', message)
}
