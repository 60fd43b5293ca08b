import { noUsage, type Turn, type TurnUsage } from '../../core/conversations/conversation.ts'
import type { AgentSettings } from '../model-source.ts'
import { addUsage } from '../../core/conversations/add-usage.ts'
import { shownUsage, type TurnWork } from './turn-work.ts'
import type { TurnPorts } from './turn-ports.ts'
import { isToolPart, type ToolPart } from './ui-parts.ts'

/** May this call send out agents? What is called through a search may be anything. */
export function sendsOut({ toolMetadata }: ToolPart): boolean {
  const { name = '' } = (toolMetadata ?? {}) as { name?: string }
  return name === 'agents.spawn' || name === 'tools.call' || name.startsWith('agent:')
}

/** What a turn may still use, with what the agents have used that it sent out. */
export function tokensLeft({ usage, bounds }: Turn, { maxTurnTokens }: AgentSettings): number {
  const most = Math.min(maxTurnTokens ?? Infinity, bounds.maxTokens ?? Infinity)
  return most - tokensOf(usage) - tokensOf(usage.sentOut ?? noUsage)
}

function tokensOf({ inputTokens, outputTokens }: Omit<TurnUsage, 'sentOut'>): number {
  return inputTokens + outputTokens
}

/** Adds what the agents have used that the pass has sent out, beside what the turn used itself. */
export async function countSentOut({ turn, parts }: TurnWork, ports: TurnPorts): Promise<void> {
  const sending = new Set(
    parts
      .filter(isToolPart)
      .filter(sendsOut)
      .map(({ toolCallId }) => toolCallId),
  )
  for (const { toolCallId, callId } of turn.waiting?.calls ?? []) {
    if (callId === undefined || !sending.has(toolCallId)) continue
    const children = await ports.store.listChildren(turn.tenant, callId)
    if (children.length === 0) continue
    turn.usage = { ...turn.usage, sentOut: sumUsage(children, turn.usage.sentOut) }
  }
}

/** What these turns have used together. Each tells its own cost to budgets. */
export function sumUsage(turns: readonly Turn[], before: TurnUsage = noUsage): TurnUsage {
  const { sentOut: _, ...sum } = turns.reduce(
    (all, { usage }) => addUsage(all, shownUsage(usage)),
    before,
  )
  return sum
}
