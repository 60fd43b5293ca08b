import { z } from 'zod'
import { defineEvents } from '../../core/events/define-events.ts'
import { moment, text } from '../../core/operations/payload-fields.ts'
import { dataKinds } from '../../core/kernel/tool-labels.ts'

const flag = {
  kind: z.enum(dataKinds).meta({ description: 'The kind of data that the session has read' }),
  callId: text('The first call that read it'),
  tool: text('The tool of that call'),
}

export const sessionEvents = defineEvents(
  { noun: 'Session', group: 'policy', stale: [], inCall: true },
  {
    'session.flagged': {
      meaning: 'A session read untrusted or private data for the first time',
      data: () => z.object(flag),
    },
    'session.cleared': {
      meaning: 'A person cleared the flags of a session',
      data: () =>
        z.object({
          flags: z
            .array(z.object({ ...flag, raisedAt: moment('When it was raised') }))
            .meta({ description: 'The flags it had' }),
        }),
    },
  },
)
