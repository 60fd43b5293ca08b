import type { Caller } from '../../core/kernel/call.ts'
import type { Turn } from '../../core/conversations/conversation.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import type { ConversationPorts } from '../chat/conversation-ports.ts'
import { isOwn } from '../chat/ownership.ts'
import { sendsOut, tokensLeft } from '../turn/calls/sent-out.ts'
import { openCalls, readParts } from '../turn/ui-parts.ts'

/** With fewer an agent does not get through its first step. */
const fewestTokens = 1000

/**
 * How many tokens each of the agents may use that a call sends out: its part of what is left to the
 * turn. Other calls of the same pass have theirs. Undefined where nothing bounds the turn.
 */
export async function shareTokens(
  caller: Caller,
  count: number,
  ports: ConversationPorts,
): Promise<number | undefined> {
  const turn = await findTurn(caller, ports)
  const agent = turn && (await ports.models.findAgent(turn.tenant, turn.agent))
  if (turn === undefined || agent === undefined) return undefined
  const left = tokensLeft(turn, agent)
  if (left === Infinity) return undefined
  const message = await ports.store.findMessage(turn.tenant, turn.conversationId, turn.messageId)
  const calls = openCalls(readParts(message)).filter(sendsOut)
  const share = Math.floor(left / (Math.max(1, calls.length) * count))
  if (share >= fewestTokens) return share
  throw new ToolError(
    'budget_exceeded',
    `The turn has ${Math.max(0, left)} tokens left for agents`,
    {
      fix: 'Send out fewer agents, do the work yourself, or raise maxTurnTokens of the agent.',
    },
  )
}

/** The turn that a call is made in. */
async function findTurn(caller: Caller, { store }: ConversationPorts): Promise<Turn | undefined> {
  const { tenant, sessionId, agent } = caller
  if (sessionId === undefined || agent === undefined) return undefined
  const conversation = await store.find(tenant, sessionId)
  if (conversation?.turnId === undefined || !isOwn(caller, conversation)) return undefined
  return conversation.agent === agent ? store.findTurn(tenant, conversation.turnId) : undefined
}
