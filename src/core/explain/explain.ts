import { flowLayer, judgeFlow } from '../flow/judge-flow.ts'
import { labelsOf } from '../flow/labels-of.ts'
import type { SessionFlag } from '../flow/session-flags.ts'
import { toFlowChange } from '../policy/changes.ts'
import { collectAsks } from '../policy/decide.ts'
import type {
  AskVerdict,
  ExplainedLabels,
  Explanation,
  PolicyTool,
  Scope,
} from '../policy/scope.ts'
import { findStop, judgeLayers } from '../policy/visible-tools.ts'

/** Every tool with the result of every layer, sorted by name: why a caller sees it, or why not. */
export function explain(
  tools: readonly PolicyTool[],
  scope: Scope,
  flags: readonly SessionFlag[] = [],
): Explanation[] {
  return tools.map((tool) => explainOne(tool, scope, flags)).toSorted(byName)
}

/** One tool with the result of every layer, including layers after the deciding one. */
export function explainOne(
  tool: PolicyTool,
  scope: Scope,
  flags: readonly SessionFlag[] = [],
): Explanation {
  const layers = judgeLayers(tool, scope)
  const stops = layers.filter((layer) => !layer.passes)
  const [stop] = stops
  const asks =
    stop === undefined ? [...collectAsks(tool, scope), ...flowAsks(tool, scope, flags)] : []
  const [ask] = asks
  const labels = explainLabels(tool, scope)
  const stoppedBy = stop?.layer ?? ask?.reason
  return {
    tool: tool.contract.name,
    visible: stop === undefined,
    verdict: stop !== undefined ? 'deny' : ask === undefined ? 'allow' : 'ask',
    ...(stoppedBy !== undefined && { stoppedBy }),
    reasons: (stop === undefined ? asks : stops).map(({ reason }) => reason),
    layers,
    ...(asks.length > 0 && { asks }),
    ...(labels !== undefined && { labels }),
  }
}

function flowAsks(tool: PolicyTool, scope: Scope, flags: readonly SessionFlag[]): AskVerdict[] {
  const labels = labelsOf(tool, scope)
  const { name } = tool.contract
  const reason = judgeFlow(name, labels, flags)
  if (reason === undefined) return []
  const setBy = labels.because.effects.join(', ')
  return [{ layer: flowLayer, reason, setBy, change: toFlowChange(name) }]
}

/** Shown only if informative: labels derived from a local effect are not. */
function explainLabels(tool: PolicyTool, scope: Scope): ExplainedLabels | undefined {
  const { reads, effects, isOutside, because } = labelsOf(tool, scope)
  if (reads.length === 0 && !isOutside) return undefined
  return { reads, effects, setBy: [...new Set([...because.reads, ...because.effects])] }
}

/** The rule that hides a tool from a scope, if any, in the form refusals record. */
export function findHiding(
  tool: PolicyTool,
  scope: Scope,
): { layer: string; rule: string } | undefined {
  const stop = findStop(tool, scope)
  return stop && { layer: stop.layer, rule: stop.reason }
}

/** Code unit order, the same on every machine. */
function byName(one: Explanation, other: Explanation): number {
  if (one.tool === other.tool) return 0
  return one.tool < other.tool ? -1 : 1
}
