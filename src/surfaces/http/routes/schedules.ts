import { z } from '@hono/zod-openapi'
import {
  previewRequest,
  schedule,
  scheduleChange,
  schedulePreview,
  scheduleRequest,
  scheduleRun,
} from '../describe/schedule-schemas.ts'
import { pageOf } from '../describe/schemas.ts'
import { pageLimit, shortText } from '../request/query-fields.ts'
import { idParam } from '../request/route-params.ts'
import { empty, json } from '../reply.ts'
import { defineRoute } from '../route.ts'
import type { Route } from '../route.ts'

const params = { id: 'The id of the schedule' }
const paging = z.strictObject({
  after: shortText('The `next` of the page before').optional(),
  limit: pageLimit(50, 500),
})

const listSchedules = defineRoute({
  method: 'get',
  path: '/api/v1/schedules',
  tag: 'Schedules',
  summary: 'List the schedules',
  description: 'Oldest first. Needs `schedules.manage` or `audit.read`.',
  query: paging,
  answers: { 200: { description: 'A page of schedules', schema: pageOf(schedule) } },
  async handle({ door, caller, query }) {
    return json(200, await door.api.listSchedules(caller, query))
  },
})

const createSchedule = defineRoute({
  method: 'post',
  path: '/api/v1/schedules',
  tag: 'Schedules',
  summary: 'Make a schedule',
  description:
    'Needs `schedules.manage` and `tools.call`. It runs with what the caller may do now, and with what policy allows then.',
  body: { isRequired: true, schema: scheduleRequest },
  answers: { 201: { description: 'The schedule', schema: schedule } },
  async handle({ door, caller, body }) {
    return json(201, await door.api.createSchedule(caller, body))
  },
})

const previewSchedule = defineRoute({
  method: 'post',
  path: '/api/v1/schedules/preview',
  tag: 'Schedules',
  summary: 'Say when a schedule would run',
  description:
    'Reads `when` as a new schedule would and answers the next times. Nothing is kept. Needs `schedules.manage` or `audit.read`.',
  body: { isRequired: true, schema: previewRequest },
  answers: { 200: { description: 'The next times', schema: schedulePreview } },
  async handle({ door, caller, body }) {
    return json(200, await door.api.previewSchedule(caller, body))
  },
})

const findSchedule = defineRoute({
  method: 'get',
  path: '/api/v1/schedules/{id}',
  tag: 'Schedules',
  summary: 'Read one schedule',
  params,
  answers: { 200: { description: 'The schedule', schema: schedule } },
  async handle({ door, caller, request }) {
    return json(200, await door.api.findSchedule(caller, idParam(request)))
  },
})

const updateSchedule = defineRoute({
  method: 'patch',
  path: '/api/v1/schedules/{id}',
  tag: 'Schedules',
  summary: 'Change, pause or resume a schedule',
  description:
    'What is left out stays. Whoever changes the tool or the input is who it runs for from then on.',
  params,
  body: { isRequired: true, schema: scheduleChange },
  answers: { 200: { description: 'The schedule', schema: schedule } },
  async handle({ door, caller, body, request }) {
    return json(200, await door.api.updateSchedule(caller, idParam(request), body))
  },
})

const deleteSchedule = defineRoute({
  method: 'delete',
  path: '/api/v1/schedules/{id}',
  tag: 'Schedules',
  summary: 'Delete a schedule with its history',
  params,
  answers: { 204: { description: 'It is gone' } },
  async handle({ door, caller, request }) {
    await door.api.deleteSchedule(caller, idParam(request))
    return empty(204)
  },
})

const runSchedule = defineRoute({
  method: 'post',
  path: '/api/v1/schedules/{id}/run',
  tag: 'Schedules',
  summary: 'Run a schedule now',
  description:
    'Whatever its state and its times. Answers once the call is made: `callId` leads to what comes of it.',
  params,
  answers: { 202: { description: 'The run', schema: scheduleRun } },
  async handle({ door, caller, request }) {
    return json(202, await door.api.runSchedule(caller, idParam(request)))
  },
})

const listScheduleRuns = defineRoute({
  method: 'get',
  path: '/api/v1/schedules/{id}/runs',
  tag: 'Schedules',
  summary: 'Read what came of a schedule',
  description: 'Newest first. The last 1,000 runs are kept; their calls are kept as all calls are.',
  params,
  query: paging,
  answers: { 200: { description: 'A page of runs', schema: pageOf(scheduleRun) } },
  async handle({ door, caller, query, request }) {
    return json(200, await door.api.listScheduleRuns(caller, idParam(request), query))
  },
})

export const scheduleRoutes: readonly Route[] = [
  listSchedules,
  createSchedule,
  previewSchedule,
  findSchedule,
  updateSchedule,
  deleteSchedule,
  runSchedule,
  listScheduleRuns,
]
