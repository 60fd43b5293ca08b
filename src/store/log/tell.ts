import type { Transaction } from 'kysely'
import type { Principal } from '../../core/call.ts'
import type { NewEvent, ToldEvent } from '../../core/events/event.ts'
import { createUuid } from '../../core/ids.ts'
import { toChunk } from './event-chunks.ts'
import { toPrincipalText } from './principal-text.ts'
import { toStoredText, toStoredTextOrNull } from './stored-text.ts'
import type { Tables } from '../tables.ts'

/** Writes events in the transaction of what they tell of: neither is there without the other. */
export async function tell(
  transaction: Transaction<Tables>,
  told: readonly (ToldEvent & { tenant: string; sessionId?: string; agent?: string })[],
): Promise<void> {
  if (told.length === 0) return
  const rows = told.map(({ tenant, principal, sessionId, agent, event }) => {
    const { count, types, items } = toChunk([event])
    return {
      tenant: toStoredText(tenant),
      stream: createUuid(),
      first_seq: 1,
      last_seq: count,
      is_call: false,
      session_id: toStoredTextOrNull(sessionId),
      agent: toStoredTextOrNull(agent),
      principal: toPrincipalText(principal),
      types,
      items,
    }
  })
  await transaction.insertInto('events').values(rows).execute()
}

/** The same for one thing that somebody did. What a command without a caller does is no event. */
export async function tellOf(
  transaction: Transaction<Tables>,
  { tenant, by }: { tenant: string; by?: Principal },
  event: Omit<NewEvent, 'at'>,
): Promise<void> {
  if (by === undefined) return
  await tell(transaction, [{ tenant, principal: by, event: { ...event, at: Date.now() } }])
}
