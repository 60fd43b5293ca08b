import type { Approval } from '../../../core/approvals/approval.ts'
import type { PassCall, Turn } from '../../../core/conversations/conversation.ts'
import type { TurnPorts } from '../turn-ports.ts'
import { isToolPart, toJson, type Chunk, readParts } from '../ui-parts.ts'

type BelowPorts = Pick<TurnPorts, 'store' | 'findApproval'>

/**
 * Approvals that agents below these calls asked people for, decided or not. A client of the SDK
 * knows only approvals of its own message's calls, so these are parts of their own.
 */
export async function askedBelow(
  tenant: string,
  calls: readonly PassCall[],
  ports: BelowPorts,
): Promise<Chunk[]> {
  const asked = await Promise.all(
    calls.map(async ({ toolCallId, callId }) => {
      const turns = callId === undefined ? [] : await ports.store.listChildren(tenant, callId)
      const approvals = await Promise.all(turns.map((turn) => approvalsOf(turn, ports)))
      return approvals.flat().map((approval) => toChunk(approval, toolCallId))
    }),
  )
  return asked.flat()
}

async function approvalsOf(turn: Turn, { store, findApproval }: BelowPorts): Promise<Approval[]> {
  const message = await store.findMessage(turn.tenant, turn.conversationId, turn.messageId)
  const ids = readParts(message)
    .filter(isToolPart)
    .flatMap(({ approval }) => approval?.id ?? [])
  const found = await Promise.all(ids.map((id) => findApproval(turn.tenant, id)))
  return found.flatMap((one) => one ?? [])
}

function toChunk(approval: Approval, toolCallId: string): Chunk {
  const { id, callId, tool, input, reasons, status, expiresAt, requestedBy } = approval
  const { agent } = requestedBy
  const reason = approval.decisions.at(-1)?.reason
  const data = { id, toolCallId, callId, tool, input, agent, reasons, status, expiresAt, reason }
  return { type: 'data-approval', id, data: toJson(data) }
}
