import { z } from 'zod'
import type { Progress } from '../../../core/kernel/call.ts'
import type { CompletionReport } from '../../../core/async/completion.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import { jsonValue } from '../../../core/operations/fields.ts'
import { empty, json } from '../reply.ts'
import { bearerToken } from '../request/identify.ts'
import type { Attempt } from '../request/auth-throttle.ts'
import type { HttpRequest } from '../request/http-request.ts'
import { toQueryObject } from '../request/query-object.ts'
import { parseWith } from '../../../core/operations/parse-with.ts'
import { isJsonType, readBody, readJsonBody } from '../request/request-body.ts'
import { idParam } from '../request/route-params.ts'
import type { Door, HttpLimits, PublicRoute } from '../route.ts'

const completionBody = z
  .strictObject({
    status: z.enum(['completed', 'failed']),
    response: jsonValue
      .optional()
      .meta({ description: 'The output of a call that completed; null unless given' }),
    error: z.string().min(1).optional().meta({ description: 'Why it failed; needed when it did' }),
  })
  .meta({ id: 'CompletionReport' })

const progressBody = z
  .strictObject({
    done: z.number().optional(),
    total: z.number().optional(),
    message: z.string().max(20_000).optional(),
    text: z.string().optional().meta({ description: 'Appended to the running text output' }),
  })
  .meta({ id: 'ProgressReport' })

const receipt = z
  .object({
    accepted: z.literal(true),
    pending: z.int().meta({ description: 'Calls of its group that have not settled yet' }),
    continued: z.boolean().meta({
      description:
        'This call was the last of its group: the work that waits for the group continues',
    }),
  })
  .meta({ id: 'CompletionReceipt' })

const outsideHeaders = {
  Authorization: '`Bearer <completion token>`: `ctx.completion.token` of the tool, no API key.',
}
const refusals = {
  401: { description: 'No token was sent' },
  404: { description: 'No such call, another token, or not handed over' },
  429: { description: 'Too many wrong tokens from this address' },
  409: { description: 'The call has settled, and stays as it is' },
}

const completeRoute: PublicRoute = {
  method: 'post',
  path: '/api/v1/calls/{id}/complete',
  tag: 'Calls',
  summary: 'Complete a call from outside',
  description: [
    'For the worker that runs a tool with `execution: external`. The first report counts: sending the same twice answers 202, then 409.',
    'A body of any other content type is a file: the call is completed with it, the file is its artifact and the output refers to it (`?status=completed` is allowed).',
  ].join('\n\n'),
  params: { id: 'The id of the call' },
  headers: outsideHeaders,
  body: { schema: completionBody, isRequired: true },
  answers: {
    202: { description: 'Taken: the call has settled', schema: receipt },
    400: { description: 'The report is not well formed, or failed without an error' },
    ...refusals,
    413: { description: 'Larger than `limits.completionBytes`' },
  },
  async visit({ door, request }) {
    const token = tokenOf(door, request)
    const read = () => readReport(request, door.limits)
    const complete = () => door.api.complete(idParam(request), token, read)
    return json(202, await door.throttle.guard(request, attemptOf(token), complete))
  },
}

const progressRoute: PublicRoute = {
  method: 'post',
  path: '/api/v1/calls/{id}/progress',
  tag: 'Calls',
  summary: 'Report progress from outside',
  description:
    'Recorded as `call.output` events, thinned out like those of tools. 409 means: stop, nobody waits for it any more.',
  params: { id: 'The id of the call' },
  headers: outsideHeaders,
  body: { schema: progressBody, isRequired: true },
  answers: { 204: { description: 'Taken' }, ...refusals },
  async visit({ door, request }) {
    const token = tokenOf(door, request)
    const read = async (): Promise<Progress> =>
      parseWith(progressBody, await readJsonBody(request, door.limits), 'body')
    const report = () => door.api.reportProgress(idParam(request), token, read)
    await door.throttle.guard(request, attemptOf(token), report)
    return empty(204)
  },
}

/** The routes for external workers. */
export const completionRoutes: readonly PublicRoute[] = [completeRoute, progressRoute]

function tokenOf({ throttle }: Door, request: HttpRequest): string {
  const token = bearerToken(request.header('authorization'))
  if (token !== undefined) return token
  const tooMany = throttle.fail(request, undefined)
  if (tooMany !== undefined) throw tooMany
  throw new ToolError('unauthorized', 'This needs the completion token of the call', {
    fix: 'Send Authorization: Bearer with the token that the tool was given as ctx.completion.token.',
  })
}

/** With the token of another call, the answer is that there is no such call. */
function attemptOf(token: string): Attempt {
  return { credential: token, isFormOk: isCompletionForm, wrong: 'not_found' }
}

function isCompletionForm(token: string): boolean {
  return /^done_[0-9a-f]{64}$/.test(token)
}

async function readReport(request: HttpRequest, limits: HttpLimits): Promise<CompletionReport> {
  const type = request.header('content-type')
  const maxBodyBytes = limits.maxCompletionBytes
  if (type === undefined || isJsonType(type)) {
    return parseReport(await readJsonBody(request, { ...limits, maxBodyBytes }))
  }
  const mediaType = parseFileType(type)
  parseWith(fileQuery, toQueryObject(request.url), 'query')
  return { status: 'completed', file: { bytes: await readBody(request, maxBodyBytes), mediaType } }
}

const fileQuery = z.strictObject({ status: z.literal('completed').optional() })

function parseReport(value: unknown): CompletionReport {
  const { status, response, error } = parseWith(completionBody, value, 'body')
  if (status === 'completed' && error === undefined) {
    return { status, response: response ?? null }
  }
  if (status === 'failed' && error !== undefined && response === undefined) {
    return { status, error }
  }
  throw new ToolError(
    'invalid_request',
    status === 'failed'
      ? 'A failed call needs an error, and no response'
      : 'A completed call has no error',
    {
      fix: 'Send { "status": "completed", "response": … } or { "status": "failed", "error": "…" }.',
    },
  )
}

const fileType = /^[\w.+-]{1,60}\/[\w.+-]{1,100}(?:\s*;[\x20-\x7e]{1,100})?$/
const formType = /^(?:multipart\/|application\/x-www-form-urlencoded)/i

/** It becomes a header again when the file is read. */
function parseFileType(type: string): string {
  if (fileType.test(type) && !formType.test(type)) return type
  throw new ToolError(
    'unsupported_media_type',
    'A file is sent as the body itself, with its type',
    {
      fix: 'Send content-type: application/json with a report, or the bytes of the file with their type.',
    },
  )
}
