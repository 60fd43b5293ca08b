import { isSamePrincipal } from '../../core/kernel/caller.ts'
import type { Caller } from '../../core/kernel/call.ts'
import type { Conversation } from '../../core/conversations/conversation.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import type { TurnPorts } from '../turn/turn-ports.ts'
import { toTurnCaller } from './begin-turn.ts'

/** Throws not_found for an agent that is not there, forbidden for one that this key is not for. */
export async function assertAgent(
  caller: Caller,
  agent: string,
  { models }: Pick<TurnPorts, 'models'>,
): Promise<void> {
  toTurnCaller(caller, { agent, runtime: 'chat', sessionId: '' })
  if ((await models.findAgent(caller.tenant, agent)) !== undefined) return
  throw new ToolError('not_found', `There is no agent ${JSON.stringify(agent.slice(0, 100))}`, {
    fix: 'See which there are: toolcrib agents (GET /api/v1/agents).',
  })
}

/** Did this caller begin it? */
export function isOwn(
  { principal }: Caller,
  { principal: owner }: Pick<Conversation, 'principal'>,
): boolean {
  return isSamePrincipal(owner, principal)
}
