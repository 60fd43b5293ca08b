import { decide } from './decide.ts'
import type { Explanation, PolicyTool, Scope } from './scope.ts'
import { judgeLayers } from './visible-tools.ts'

/** Every tool with every layer's word on it, sorted by name: why somebody sees it, and why not. */
export function explain(tools: readonly PolicyTool[], scope: Scope): Explanation[] {
  return tools.map((tool) => explainOne(tool, scope)).toSorted(byName)
}

/** One tool with every layer's word, also of the layers behind the one that decided. */
export function explainOne(tool: PolicyTool, scope: Scope): Explanation {
  const layers = judgeLayers(tool, scope)
  const stops = layers.filter((layer) => !layer.passes)
  const [stop] = stops
  const decision = decide(tool, scope)
  const stoppedBy = stop?.layer ?? (decision.verdict === 'ask' ? decision.rule : undefined)
  return {
    tool: tool.contract.name,
    visible: stop === undefined,
    verdict: decision.verdict,
    ...(stoppedBy !== undefined && { stoppedBy }),
    reasons: stop === undefined ? decision.reasons : stops.map((layer) => layer.reason),
    layers,
  }
}

/** Code unit order, the same on every machine. */
function byName(one: Explanation, other: Explanation): number {
  if (one.tool === other.tool) return 0
  return one.tool < other.tool ? -1 : 1
}
