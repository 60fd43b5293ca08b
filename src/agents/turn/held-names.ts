import type { TurnWork } from './turn-work.ts'
import type { TurnPorts } from './turn-ports.ts'
import type { HeldNames } from '../../core/offer/hold-names.ts'

/** Names that the conversation has used and its history refers to. */
export async function readHeldNames(work: TurnWork, { store }: TurnPorts): Promise<HeldNames> {
  const { tenant, conversationId } = work.turn
  work.heldNames ??= (await store.find(tenant, conversationId))?.wireNames ?? {}
  return work.heldNames
}
