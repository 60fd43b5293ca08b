import type { Decision } from '../kernel/call.ts'
import type { FlowLabels } from './labels-of.ts'
import type { SessionFlag } from './session-flags.ts'
import { dataKinds } from '../kernel/tool-labels.ts'

/** The layer that a data-flow ask is recorded under. */
export const flowLayer = 'data-flow'

/**
 * The reason to require approval: the session has seen untrusted and private data, and this tool
 * has an effect outside. The reason names the calls, so that an approval applies to this session
 * only.
 */
export function judgeFlow(
  tool: string,
  labels: Pick<FlowLabels, 'isOutside' | 'effects'>,
  flags: readonly SessionFlag[],
): string | undefined {
  if (!labels.isOutside) return undefined
  const seen = dataKinds.map((kind) => flags.find((flag) => flag.kind === kind))
  const parts = seen.flatMap((flag) =>
    flag === undefined ? [] : [`${flag.kind} data (${flag.tool}, ${flag.callId})`],
  )
  if (parts.length < dataKinds.length) return undefined
  return `the session has seen ${parts.join(' and ')}, and ${tool} has an ${labels.effects} effect`
}

/** The verdict with one more reason to ask. Denied calls stay denied. */
export function addFlowAsk(decision: Decision, reason: string | undefined): Decision {
  if (reason === undefined || decision.verdict === 'deny') return decision
  const reasons = [...decision.reasons, reason]
  if (decision.verdict === 'ask') return { ...decision, reasons }
  return { ...decision, verdict: 'ask', layer: flowLayer, rule: reason, reasons }
}
