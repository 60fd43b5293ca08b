import { compileScope, toNamed } from '../compiled-scope.ts'
import type { LayerVerdict, PolicyTool, Scope } from '../scope.ts'
import { judgeAgent } from './judge-agent.ts'
import { hide, pass } from './verdicts.ts'

/** An agent sees the tools it is granted and not denied. Without grants, it sees nothing. */
export function grantsLayer(tool: PolicyTool, scope: Scope): LayerVerdict {
  const { agent } = compileScope(scope)
  if (agent === undefined) return pass('grants', 'no agent is calling, so no grant is needed')
  const verdict = judgeAgent(agent, toNamed(tool))
  const { passes, reason, setBy } = verdict
  return passes ? pass('grants', reason, setBy) : hide('grants', reason, verdict)
}
