import type { Transaction } from 'kysely'
import type { Principal } from '../../core/kernel/call.ts'
import type { EventFact, EventEntry, NewEvent } from '../../core/events/event.ts'
import { createUuid, storeTime } from '../../core/kernel/ids.ts'
import { toChunk } from './events/event-chunks.ts'
import { toPrincipalText } from './principal-text.ts'
import { toStoredText, toStoredTextOrNull } from './stored-text.ts'
import type { Tables } from '../tables.ts'

/**
 * Writes events in the transaction of the change they describe, so that neither exists without the
 * other.
 */
export async function recordEvents(
  transaction: Transaction<Tables>,
  told: readonly (EventEntry & { tenant: string; sessionId?: string; agent?: string })[],
): Promise<void> {
  const rows = told.map(({ tenant, principal, sessionId, agent, event }) => {
    const { count, types, items } = toChunk([
      isTimed(event) ? event : { ...event, at: storeTime() },
    ])
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
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    const some = rows.slice(at, at + rowsAtOnce)
    await transaction.insertInto('events').values(some).execute()
  }
}

function isTimed(event: EventEntry['event']): event is NewEvent {
  return event.at !== undefined
}

/** A statement takes 65,535 values, and one change may record ten thousand grants. */
const rowsAtOnce = 1_000

/** The same for one event. A command without a caller records nothing. */
export async function recordEventOf(
  transaction: Transaction<Tables>,
  { tenant, by }: { tenant: string; by?: Principal },
  event: EventFact,
): Promise<void> {
  if (by === undefined) return
  await recordEvents(transaction, [{ tenant, principal: by, event: { ...event, at: storeTime() } }])
}
