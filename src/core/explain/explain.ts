import { flowLayer, judgeFlow } from '../flow/judge-flow.ts'
import { labelsOf } from '../flow/labels-of.ts'
import type { SessionFlag } from '../flow/session-flags.ts'
import { toFlowChange } from '../policy/changes.ts'
import { workspaceAsk, workspaceLayer } from '../policy/workspace-ask.ts'
import type { WorkspaceMode } from '../kernel/context/workspace.ts'
import type { ToolContract } from '../kernel/tool.ts'
import { collectAsks } from '../policy/decide.ts'
import type {
  AskVerdict,
  ExplainedLabels,
  Explanation,
  PolicyTool,
  Scope,
} from '../policy/scope.ts'
import { findStop, judgeLayers } from '../policy/visible-tools.ts'

/** The state of the session to explain for. */
export interface SessionFacts {
  flags?: readonly SessionFlag[]
  /** The mode of its workspace. */
  mode?: WorkspaceMode
  /** The tools that a workspace asks about. */
  mayAsk?(contract: ToolContract): boolean
}

const workspaceVerdict: AskVerdict = {
  layer: workspaceLayer,
  reason: workspaceAsk,
  change: {
    command: 'toolcrib workspaces set ID --mode free',
    api: 'PATCH /api/v1/workspaces/{id} {"mode":"free"}',
    configuration: 'workspaces.mode',
  },
}

/** Every tool with the result of every layer, sorted by name: why a caller sees it, or why not. */
export function explain(
  tools: readonly PolicyTool[],
  scope: Scope,
  session: SessionFacts = {},
): Explanation[] {
  return tools.map((tool) => explainOne(tool, scope, session)).toSorted(byName)
}

/** One tool with the result of every layer, including layers after the deciding one. */
export function explainOne(
  tool: PolicyTool,
  scope: Scope,
  session: SessionFacts = {},
): Explanation {
  const layers = judgeLayers(tool, scope)
  const stops = layers.filter((layer) => !layer.passes)
  const [stop] = stops
  const asks =
    stop === undefined ? [...collectAsks(tool, scope), ...sessionAsks(tool, scope, session)] : []
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

function sessionAsks(
  tool: PolicyTool,
  scope: Scope,
  { flags = [], mode, mayAsk }: SessionFacts,
): AskVerdict[] {
  const isAsked = mode === 'ask' && mayAsk?.(tool.contract) === true
  return [...flowAsks(tool, scope, flags), ...(isAsked ? [workspaceVerdict] : [])]
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
