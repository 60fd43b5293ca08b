import { toLevelChange } from '../changes.ts'
import { compileScope, toNamed } from '../compiled-scope.ts'
import { judgeLevel, type LevelFinding } from '../level.ts'
import type { LayerVerdict, PolicyTool, Scope } from '../scope.ts'
import { judgeAgent } from './judge-agent.ts'
import { hide, pass } from './verdicts.ts'

/**
 * Every level and the grants of every parent must allow the tool. Each only narrows, so their order
 * affects the message and never the result.
 */
export function policyLayer(tool: PolicyTool, scope: Scope): LayerVerdict {
  const { levels, parents } = compileScope(scope)
  const named = toNamed(tool)
  for (const { name, setBy, level } of levels) {
    const finding = judgeLevel(level, named)
    if (finding.passes) continue
    const { reason, fix } = describe(
      { level: `${name} policy`, profile: level.profile?.name },
      finding,
      tool.contract.name,
    )
    const change = toLevelChange({ name, setBy }, scope.tenant)
    return hide('policy', reason, { setBy, fix, change })
  }
  for (const parent of parents) {
    const verdict = judgeAgent(parent, named)
    if (!verdict.passes) return hide('policy', verdict.reason, verdict)
  }
  return pass('policy', 'every policy allows the tool')
}

function describe(
  { level, profile }: { level: string; profile: string | undefined },
  finding: LevelFinding & { passes: false },
  tool: string,
): { reason: string; fix: string } {
  const by = profile === undefined ? level : `profile ${profile} of ${level}`
  switch (finding.by) {
    case 'deny':
      return {
        reason: `${level} denies ${finding.pattern}${overruled(finding.despite)}`,
        fix: `remove ${finding.pattern} from the deny list of the ${level}`,
      }
    case 'profile-deny':
      return {
        reason: `${by} denies ${finding.pattern}${overruled(finding.despite)}`,
        fix: `set another profile in the ${level}`,
      }
    case 'closed':
      return {
        reason: `${level} can't be read, so it denies everything: ${finding.why}`,
        fix: `fix the ${level}`,
      }
    case 'empty':
      return {
        reason: `${level} names no tools, so it allows none`,
        fix: `allow ${tool} in the ${level}`,
      }
    case 'unnamed':
      return { reason: `${by} does not allow ${tool}`, fix: `allow ${tool} in the ${level}` }
  }
}

/** For contradictory rules both are named, so that it is clear why the allow has no effect. */
function overruled(allowed: string | undefined): string {
  return allowed === undefined ? '' : `; it allows ${allowed}, but deny wins`
}
