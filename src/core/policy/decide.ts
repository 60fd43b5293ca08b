import type { Decision } from '../call.ts'
import type { AgentRules } from './agent-rules.ts'
import { type CompiledScope, compileScope, toNamed } from './compiled-scope.ts'
import { cachePair } from './identity-cache.ts'
import { grantsLayer } from './layers/grants-layer.ts'
import { policyLayer } from './layers/policy-layer.ts'
import type { LayerVerdict, PolicyTool, Scope } from './scope.ts'
import { findStop } from './visible-tools.ts'

/**
 * Whether this scope may use this tool now: the same layers as for seeing it, then every rule that
 * wants a person asked, of the tool and of the whole chain of agents. Cached by identity.
 */
export function decide(tool: PolicyTool, scope: Scope): Decision {
  return cachedDecision(scope, tool)
}

const cachedDecision = cachePair((scope: Scope, tool: PolicyTool): Decision => {
  const stop = findStop(tool, scope)
  if (stop !== undefined) return deny(stop)
  const compiled = compileScope(scope)
  const asks = collectAsks(tool, compiled)
  const [first] = asks
  const logged = isLogged(tool, compiled) ? { logged: true } : {}
  if (first === undefined) return Object.freeze({ ...allow(tool, scope), ...logged })
  return Object.freeze({
    verdict: 'ask',
    layer: first.layer,
    rule: first.reason,
    reasons: Object.freeze(asks.map((ask) => ask.reason)),
    ...logged,
  })
})

function deny({ layer, reason }: LayerVerdict): Decision {
  return Object.freeze({ verdict: 'deny', layer, rule: reason, reasons: Object.freeze([reason]) })
}

/** Kept with the call: for an agent the grant that let it through, for others the policy levels. */
function allow(tool: PolicyTool, scope: Scope): Decision {
  const { layer, reason } = (scope.agent === undefined ? policyLayer : grantsLayer)(tool, scope)
  return { verdict: 'allow', layer, rule: reason, reasons: Object.freeze([]) }
}

/** A rule that wants a person asked; `layer` says whose rule it is. */
interface Ask {
  layer: 'approval' | 'hooks' | 'autonomy' | 'settings'
  reason: string
}

function collectAsks(tool: PolicyTool, { chain }: CompiledScope): Ask[] {
  const { name, approval } = tool.contract
  const own: Ask[] =
    approval === 'always' ? [{ layer: 'approval', reason: `${name} always needs approval` }] : []
  return [...own, ...chain.flatMap((agent) => asksOf(agent, tool))]
}

/** What one agent of the chain wants confirmed; a parent's word holds for its children. */
function asksOf(agent: AgentRules, tool: PolicyTool): Ask[] {
  const asks: Ask[] = []
  const named = toNamed(tool)
  const { label } = agent
  const hook = agent.hooks.confirm(named)
  if (hook !== undefined) {
    asks.push({ layer: 'hooks', reason: `${label} has calls of ${hook} confirmed` })
  }
  // Standard and autonomous agents ask only where a rule names the tool; both honour every such rule.
  if (agent.autonomy === 'conservative' && tool.contract.effect !== 'read') {
    asks.push({
      layer: 'autonomy',
      reason: `${label} is conservative: calls with an effect are confirmed`,
    })
  }
  if (agent.settingsOf(named).needsApproval === true) {
    asks.push({
      layer: 'settings',
      reason: `${label} has calls of ${named.name} approved one by one`,
    })
  }
  return asks
}

/** Confirm is stricter than log, so a call that is asked about for a hook is on record anyway. */
function isLogged(tool: PolicyTool, { chain }: CompiledScope): boolean {
  const named = toNamed(tool)
  return chain.some((agent) => agent.hooks.log(named) !== undefined)
}
