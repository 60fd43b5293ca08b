import type { Decision } from '../kernel/call.ts'
import type { AgentRules } from './agent-rules.ts'
import { type CompiledScope, compileScope, toNamed } from './compiled-scope.ts'
import { cachePair } from '../kernel/identity-cache.ts'
import { grantsLayer } from './layers/grants-layer.ts'
import { policyLayer } from './layers/policy-layer.ts'
import { toAgentChange } from './changes.ts'
import type { AskVerdict, LayerVerdict, PolicyTool, Scope } from './scope.ts'
import { findStop } from './visible-tools.ts'

/**
 * Decides whether this scope may use this tool now: the same layers as for visibility, then every
 * rule that requires approval, of the tool and of the whole chain of agents. Cached by identity.
 */
export function decide(tool: PolicyTool, scope: Scope): Decision {
  return cachedDecision(scope, tool)
}

const cachedDecision = cachePair((scope: Scope, tool: PolicyTool): Decision => {
  const stop = findStop(tool, scope)
  if (stop !== undefined) return deny(stop)
  const compiled = compileScope(scope)
  const asks = collectAsks(tool, scope)
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

/** Stored with the call: for an agent the grant that allowed it, for others the policy levels. */
function allow(tool: PolicyTool, scope: Scope): Decision {
  const { layer, reason } = (scope.agent === undefined ? policyLayer : grantsLayer)(tool, scope)
  return { verdict: 'allow', layer, rule: reason, reasons: Object.freeze([]) }
}

/** Every rule of the tool and of the chain of agents that requires approval. */
export function collectAsks(tool: PolicyTool, scope: Scope): AskVerdict[] {
  const { name, approval } = tool.contract
  const asks: AskVerdict[] = []
  if (approval === 'always') {
    const setBy = `the definition of ${name}`
    asks.push({ layer: 'approval', reason: `${name} always needs approval`, setBy })
  }
  for (const agent of compileScope(scope).chain) addAsks(asks, agent, tool)
  return asks
}

/** The approvals that one agent of the chain requires; a parent's rules apply to its children. */
function addAsks(asks: AskVerdict[], agent: AgentRules, tool: PolicyTool): void {
  const named = toNamed(tool)
  const { label } = agent
  const hook = agent.hooks.confirm(named)
  if (hook !== undefined) {
    const ask = {
      layer: 'hooks',
      reason: `${label} needs approval for ${hook} (rule: confirm)`,
    } as const
    asks.push(withAuthor(ask, agent, 'hooks.confirm'))
  }
  // Standard and autonomous agents ask only where a rule names the tool; both honour every such
  // rule.
  if (agent.autonomy === 'conservative' && tool.contract.effect !== 'read') {
    const reason = `${label} is conservative: calls that change something need approval`
    asks.push(withAuthor({ layer: 'autonomy', reason }, agent, 'autonomy'))
  }
  if (agent.settingsOf(named).needsApproval === true) {
    const reason = `${label} needs approval for every call of ${named.name}`
    const field = `settings["${named.name}"].needsApproval`
    asks.push(withAuthor({ layer: 'settings', reason }, agent, field))
  }
}

function withAuthor(
  ask: Pick<AskVerdict, 'layer' | 'reason'>,
  agent: AgentRules,
  field: string,
): AskVerdict {
  const { setBy } = agent
  return { ...ask, ...(setBy !== undefined && { setBy }), change: toAgentChange(agent, field) }
}

/** Confirm is stricter than log, so a call that needs approval by a hook is on record anyway. */
function isLogged(tool: PolicyTool, { chain }: CompiledScope): boolean {
  const named = toNamed(tool)
  return chain.some((agent) => agent.hooks.log(named) !== undefined)
}
