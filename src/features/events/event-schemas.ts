import { z } from 'zod'
import type { AuditEntry } from '../../core/audit/audit-filter.ts'
import type { CribEvent, EventFact, EventFrame, EventType } from '../../core/events/event.ts'
import { principal, time } from '../../core/operations/fields.ts'
import { eventDefinitions } from '../declarations.ts'
import { eventTypes } from '../event-types.ts'

// Only the API description needs the schemas of payloads, so they are built on demand.
const eventFact = z
  .lazy(() => z.union(eventTypes.map(toFact)))
  .meta({
    id: 'EventFact',
    description:
      'The data of the event, by its type. An event of an earlier version may lack fields.',
  }) as unknown as z.ZodType<EventFact>

const eventFrame = z.object({
  id: z.string().meta({ description: 'An opaque cursor: pass it as `after` to continue' }),
  seq: z.int().meta({ description: 'Number within its call, from 1, without gaps' }),
  at: time,
  tenant: z.string(),
  callId: z.string().optional(),
  sessionId: z.string().optional(),
  agent: z.string().optional(),
  principal,
}) satisfies z.ZodType<EventFrame>

/** One event, as the API returns it. */
export const cribEvent: z.ZodType<CribEvent> = eventFrame.and(eventFact).meta({ id: 'Event' })

/** An event with the tool it is about and the name of its principal, where those are known. */
export const auditEntry: z.ZodType<AuditEntry> = eventFrame
  .extend({
    principalName: z.string().optional().meta({ description: 'Of a member or a key' }),
    tool: z.string().optional().meta({ description: 'The tool it is about' }),
  })
  .and(eventFact)
  .meta({ id: 'AuditEntry' })

function toFact(type: EventType) {
  const { meaning: description, data } = eventDefinitions[type]
  return z.object({ type: z.literal(type), data: data() }).meta({ description })
}
