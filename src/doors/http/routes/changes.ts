import { z } from 'zod'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { CribEvent } from '../../../core/events/event.ts'
import { fieldsOf, type LooseFields } from '../../../core/events/fields-of.ts'
import { isRecord } from '../../../core/kernel/json/json-type.ts'
import { defineRoute } from '../route.ts'
import type { Route } from '../route.ts'
import { jsonValue, principal, time } from '../../../core/operations/fields.ts'
import { readResumed } from './events.ts'
import { toFrame, wantsEventStream } from '../streams/event-stream.ts'
import { streamEvents } from '../streams/stream-events.ts'

const change = z
  .object({
    id: z.string(),
    type: z.string(),
    at: time,
    callId: z.string().optional(),
    sessionId: z.string().optional(),
    agent: z.string().optional(),
    principal,
    data: jsonValue.meta({
      description: 'The fields that lists show, never an input or an output',
    }),
  })
  .meta({ id: 'Change' })

/** That something happened, for screens that keep themselves fresh. */
export const changesRoute: Route = defineRoute({
  method: 'get',
  path: '/api/v1/changes',
  tag: 'Events',
  summary: 'Hear that something changed',
  description:
    'A stream of short notices from now on: the type, time, principal, call and tool of each event, but never an input or an output. Request the details separately; access to them is checked there. With `audit.read`, everything in the tenant; without, your own calls, tools and skills, and approvals you may decide on. A client that reconnects sends `Last-Event-ID` to continue from there.',
  headers: { 'Last-Event-ID': 'Continue after this event instead of from now on.' },
  answers: {
    200: { description: 'A stream of changes', schema: change, types: ['text/event-stream'] },
  },
  async handle(asked) {
    const { door, caller, request } = asked
    if (!wantsEventStream(request.header('accept'))) {
      throw new ToolError('invalid_request', 'Changes are available only as a stream', {
        fix: 'Send Accept: text/event-stream, or read GET /api/v1/events.',
      })
    }
    const after = readResumed(request) ?? 'now'
    return streamEvents(asked, {
      query: {},
      follow: () => door.api.followChanges(caller, { after }),
      toFrames: toChangeFrames,
    })
  },
})

function toChangeFrames(events: readonly CribEvent[]): string {
  return events
    .map((event) => {
      const { id, type, at, callId, sessionId, agent, principal: by } = event
      const told = { id, type, at, callId, sessionId, agent, principal: by, data: brief(event) }
      return toFrame('change', told, id)
    })
    .join('')
}

/** The fields of a call or an approval that lists show. */
const briefly = [
  'tool',
  'runtime',
  'parentId',
  'approvalId',
  'for',
  'cost',
] as const satisfies readonly (keyof LooseFields)[]

function brief(event: CribEvent): Record<string, unknown> {
  const fields = fieldsOf(event)
  const facts = briefly.filter((name) => name in fields).map((name) => [name, fields[name]])
  const { error } = fields
  const isError = isRecord(error) && 'code' in error
  return { ...Object.fromEntries(facts), ...(isError && { error: { code: error['code'] } }) }
}
