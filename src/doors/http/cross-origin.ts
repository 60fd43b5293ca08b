import { ToolError } from '../../core/kernel/errors.ts'
import { createOriginCheck } from './origin-check.ts'
import type { Reply } from './reply.ts'
import type { HttpRequest } from './request/http-request.ts'

export interface CrossOriginOptions {
  /** Pages of these origins may come in, beside our own. */
  origins: readonly string[]
  /** The part that pages may not use, for the refusal. */
  subject: string
  methods: string
  /** Headers that a page may send. */
  accepts: readonly string[]
  /** The start of further header names that only the page knows. */
  acceptsPrefix?: string
  /** Headers of an answer that a page may read. */
  exposes: readonly string[]
}

/**
 * Cross-origin requests (CORS) with a bearer token. Cookies are never allowed along: no answer has
 * `access-control-allow-credentials`, so a page can use only what it holds itself.
 */
export interface CrossOrigin {
  /** Throws `forbidden` for pages of other origins. */
  check(request: HttpRequest): void
  /** The answer, readable for a page of an allowed origin. */
  share(reply: Reply, request: HttpRequest): Reply
  /** The preflight request of a browser. */
  preflight(request: HttpRequest): Reply
}

/** Lets pages of the named origins in, each answer for its own origin alone. */
export function createCrossOrigin(options: CrossOriginOptions): CrossOrigin {
  const mayEnter = createOriginCheck(options.origins)
  const exposed = options.exposes.join(', ')
  const isAllowed = (request: HttpRequest) =>
    mayEnter(request.header('origin'), request.header('host'))
  function check(request: HttpRequest): void {
    if (isAllowed(request)) return
    throw new ToolError('forbidden', `Pages of this origin may not use ${options.subject} here`, {
      fix: 'Add the origin to server.origins in the configuration.',
    })
  }
  return {
    check,
    share(reply, request) {
      const origin = request.header('origin')
      if (origin === undefined || !isAllowed(request)) return reply
      const headers = ['access-control-allow-origin', origin, 'vary', 'origin']
      headers.push('access-control-expose-headers', exposed)
      return { ...reply, headers: [...(reply.headers ?? []), ...headers] }
    },
    preflight(request) {
      check(request)
      const headers = ['access-control-allow-methods', options.methods]
      headers.push('access-control-allow-headers', toAccepted(request, options).join(', '))
      headers.push('access-control-max-age', '600')
      return { status: 204, type: '', body: null, headers }
    },
  }
}

/** Browsers let a page of another origin read an answer only if its headers allow it. */
export function createApiPages(origins: readonly string[]): CrossOrigin {
  return createCrossOrigin({
    origins,
    subject: 'the API',
    methods: 'GET, POST, PUT, PATCH, DELETE',
    accepts: [
      'authorization',
      'content-type',
      'accept',
      'idempotency-key',
      'last-event-id',
      'prefer',
      'toolcrib-tenant',
      // The AI SDK names itself in it.
      'user-agent',
      'x-request-id',
    ],
    exposes: [
      'content-disposition',
      'location',
      'preference-applied',
      'retry-after',
      'www-authenticate',
      'x-request-id',
      'x-vercel-ai-ui-message-stream',
    ],
  })
}

const headerName = /^[\w!#$%&'*+.^`|~-]+$/

function toAccepted(
  request: HttpRequest,
  { accepts, acceptsPrefix }: CrossOriginOptions,
): readonly string[] {
  if (acceptsPrefix === undefined) return accepts
  const asked = request.header('access-control-request-headers')?.toLowerCase().split(',') ?? []
  const more = asked
    .map((name) => name.trim())
    .filter((name) => name.startsWith(acceptsPrefix) && headerName.test(name))
  return [...accepts, ...more]
}
