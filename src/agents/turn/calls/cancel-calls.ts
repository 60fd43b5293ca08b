import type { CallRecord } from '../../../core/kernel/call.ts'
import type { Turn } from '../../../core/conversations/conversation.ts'
import { isSettled } from '../../../core/call-state.ts'
import { keyOf, writeSettled } from './make-pass.ts'
import type { TurnPorts } from '../turn-ports.ts'
import type { TurnWork } from '../turn-work.ts'
import { openCalls, type ToolPart } from '../ui-parts.ts'

/** A call's record, by the id that the model gave the call. */
type Records = ReadonlyMap<string, CallRecord>

/**
 * Cancels calls of a turn that wait for people or the outside: they are of no use without it.
 * Returns the calls as they are then; settled ones stay as they were.
 */
export async function cancelCalls({ turn }: TurnWork, ports: TurnPorts): Promise<Records> {
  const ids = await findCalls(turn, ports)
  const records = await Promise.all(
    [...ids].map(async ([toolCallId, callId]) => {
      await ports.cancelCall(turn.caller, callId).catch(() => undefined)
      const children = await ports.store.listChildren(turn.tenant, callId)
      await Promise.all(children.map(({ id }) => ports.store.requestCancel(turn.tenant, id)))
      return [toolCallId, await ports.findCall(turn.tenant, callId)] as const
    }),
  )
  return new Map(records.flatMap(([id, call]) => (call === undefined ? [] : [[id, call] as const])))
}

/**
 * The calls of the current pass. The group knows them even if the turn was cut off while making
 * them; each call's key identifies it.
 */
async function findCalls(turn: Turn, ports: TurnPorts): Promise<ReadonlyMap<string, string>> {
  const { waiting } = turn
  if (waiting === undefined) return new Map()
  const members = await ports.groupCalls(turn.tenant, waiting.groupId)
  const byKey = new Map(members.map(({ key, callId }) => [key, callId]))
  return new Map(
    waiting.calls.flatMap(({ toolCallId, callId }, index) => {
      const found = callId ?? byKey.get(keyOf(turn, index))
      return found === undefined ? [] : [[toolCallId, found] as const]
    }),
  )
}

/** Gives every call in the message that has no end yet the one it has come to. */
export function writeCancelled(
  { parts, log }: TurnWork,
  { records, why }: { records: Records; why: string },
): void {
  for (const part of openCalls(parts)) {
    const call = records.get(part.toolCallId)
    if (call !== undefined && isSettled(call.status) && call.status !== 'cancelled') {
      writeSettled([{ part, call }], log.write)
      continue
    }
    const errorText = call?.startedAt === undefined ? `It was not run: ${why}` : begun(call, why)
    log.write({ type: 'tool-output-error', ...named(part, call), errorText })
  }
}

/** The model must not take it for undone, and neither for done. */
function begun({ status }: CallRecord, why: string): string {
  return status === 'cancelled'
    ? `cancelled: It had begun and was cancelled: ${why}. Its effects up to then remain.`
    : `outcome_unknown: It had begun and has not ended yet: ${why}. Whether it takes effect is not known.`
}

function named({ toolCallId, toolMetadata }: ToolPart, call: CallRecord | undefined) {
  if (call === undefined) return { toolCallId }
  return { toolCallId, toolMetadata: { ...(toolMetadata as object), callId: call.callId } }
}
