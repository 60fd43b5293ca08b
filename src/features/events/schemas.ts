import { z } from 'zod'
import { pageLimit, pageOf, shortText } from '../../core/operations/fields.ts'
import { listOf } from '../../core/operations/query-fields.ts'
import { eventTypes } from '../event-types.ts'
import { cribEvent } from './event-schemas.ts'

export const eventQuery = z.strictObject({
  after: shortText('Continue after this event id; `now` for new events only').optional(),
  last: z.coerce
    .number<number>()
    .int()
    .min(1)
    .max(1000)
    .describe(
      'The newest events, at most this many, instead of the oldest; fewer if they are large. A stream starts with them. Not with after, callId or sessionId',
    )
    .optional(),
  types: listOf(eventTypes, 'Only these types, separated by commas').optional(),
  callId: shortText('Only events of this call').optional(),
  sessionId: shortText('Only events of this session').optional(),
  limit: pageLimit(100, 1000),
})

/** `next` is always there: the cursor to read on from. */
export const eventPage = pageOf(cribEvent).extend({
  next: z.string().meta({ description: 'Pass as `after` for the next page' }),
  hasMore: z.boolean(),
})
