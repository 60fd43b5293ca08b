import { compileScope, toNamed } from '../compiled-scope.ts'
import { judgeLevel, type LevelFinding } from '../level.ts'
import type { LayerVerdict, PolicyTool, Scope } from '../scope.ts'
import { judgeAgent } from './judge-agent.ts'
import { hide, pass } from './verdicts.ts'

/**
 * Every level and the grants of every parent must let the tool through: each only narrows, so their
 * order changes the sentence and never the result.
 */
export function policyLayer(tool: PolicyTool, scope: Scope): LayerVerdict {
  const { levels, parents } = compileScope(scope)
  const named = toNamed(tool)
  for (const { name, level } of levels) {
    const finding = judgeLevel(level, named)
    if (!finding.passes)
      return describe(`policy level ${name}`, level.profile?.name, { finding, tool })
  }
  for (const parent of parents) {
    const { passes, reason, fix } = judgeAgent(parent, named)
    if (!passes) return hide('policy', reason, fix)
  }
  return pass('policy', 'every policy level lets the tool through')
}

function describe(
  level: string,
  profile: string | undefined,
  { finding, tool }: { finding: LevelFinding & { passes: false }; tool: PolicyTool },
): LayerVerdict {
  const { name } = tool.contract
  switch (finding.by) {
    case 'deny': {
      const fix = `take ${finding.pattern} out of deny at ${level}`
      return hide('policy', `${level} denies ${finding.pattern}`, fix)
    }
    case 'profile-deny': {
      const reason = `profile ${profile} of ${level} denies ${finding.pattern}`
      return hide('policy', reason, `set another profile at ${level}`)
    }
    case 'closed': {
      const reason = `${level} can't be read, so it lets nothing through: ${finding.why}`
      return hide('policy', reason, `mend ${level}`)
    }
    case 'empty':
      return hide(
        'policy',
        `${level} names no tools, so it allows none`,
        `allow ${name} at ${level}`,
      )
    case 'unnamed': {
      const by = profile === undefined ? level : `profile ${profile} of ${level}`
      return hide('policy', `${by} does not allow ${name}`, `allow ${name} at ${level}`)
    }
  }
}
