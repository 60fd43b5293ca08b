import type { Decision } from '../kernel/call.ts'
import type { WorkspaceMode } from '../kernel/context/workspace.ts'

/** The layer that such an ask is recorded under. */
export const workspaceLayer = 'workspace'

export const workspaceAsk = 'the workspace asks before writing'

/** The verdict with one more reason to ask. Denied calls stay denied. */
export function addWorkspaceAsk(decision: Decision, mode: WorkspaceMode): Decision {
  if (mode !== 'ask' || decision.verdict === 'deny') return decision
  const reasons = [...decision.reasons, workspaceAsk]
  if (decision.verdict === 'ask') return { ...decision, reasons }
  return { ...decision, verdict: 'ask', layer: workspaceLayer, rule: workspaceAsk, reasons }
}
