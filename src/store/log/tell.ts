import type { Transaction } from 'kysely'
import type { ToldEvent } from '../../core/events/event.ts'
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
