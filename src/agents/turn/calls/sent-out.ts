import { noUsage, type Turn, type TurnUsage } from '../../../core/conversations/conversation.ts'
import type { AgentSettings } from '../../model-source.ts'
import { addUsage } from '../../../core/conversations/add-usage.ts'
import type { ToolOrigin } from '../../../core/kernel/tool.ts'
import { shownUsage, type TurnWork } from '../turn-work.ts'
import type { TurnPorts } from '../turn-ports.ts'
import { isToolPart, type Part, type ToolPart } from '../ui-parts.ts'

/** Whether this call may start agents. The target of a search call may be anything. */
export function sendsOut({ toolMetadata }: ToolPart): boolean {
  const { name, source } = (toolMetadata ?? {}) as { name?: string; source?: ToolOrigin }
  // Calls of earlier releases don't say where their tools came from.
  const mayBeAgent = source === 'agent' || source === undefined
  return mayBeAgent || name === 'agents.spawn' || name === 'tools.call'
}

/** The remaining budget of a turn, with the usage of the agents it started. */
export function tokensLeft({ usage, bounds }: Turn, { maxTurnTokens }: AgentSettings): number {
  const most = Math.min(maxTurnTokens ?? Infinity, bounds.maxTokens ?? Infinity)
  return most - tokensOf(usage) - tokensOf(usage.sentOut ?? noUsage)
}

function tokensOf({ inputTokens, outputTokens }: Omit<TurnUsage, 'sentOut'>): number {
  return inputTokens + outputTokens
}

/** Counts what the agents have used that the turn has sent out so far, beside what it used itself. */
export async function countSentOut({ turn, parts }: TurnWork, ports: TurnPorts): Promise<void> {
  turn.usage = { ...turn.usage, ...(await usageSentOut(turn.tenant, parts, ports)) }
}

/** The usage of agents started by the calls of a message; zero if there are none. */
export async function usageSentOut(
  tenant: string,
  parts: readonly Part[],
  { store }: Pick<TurnPorts, 'store'>,
): Promise<Pick<TurnUsage, 'sentOut'>> {
  const callIds = parts.filter(isToolPart).filter(sendsOut).flatMap(callIdOf)
  const children = await Promise.all(callIds.map((callId) => store.listChildren(tenant, callId)))
  const sentOut = children.flat()
  return sentOut.length === 0 ? {} : { sentOut: sumUsage(sentOut) }
}

/** It is reported with the end of a call. */
function callIdOf({ toolMetadata }: ToolPart): string[] {
  const { callId } = (toolMetadata ?? {}) as { callId?: string }
  return callId === undefined ? [] : [callId]
}

/** The combined usage of these turns. Each reports its own cost to budgets. */
export function sumUsage(turns: readonly Turn[]): TurnUsage {
  const { sentOut: _, ...sum } = turns.reduce(
    (all, { usage }) => addUsage(all, shownUsage(usage)),
    noUsage,
  )
  return sum
}
