import type { Caller } from '../../../core/kernel/call.ts'
import { asAgent } from '../../../core/kernel/caller.ts'
import { isToolError, ToolError } from '../../../core/kernel/errors.ts'
import type { TokenTerms } from '../../../core/oauth/oauth-api.ts'
import { compilePermissions } from '../../../core/policy/permissions.ts'
import { createCrossOrigin } from '../cross-origin.ts'
import type { Reply } from '../reply.ts'
import { bearerChallenge } from '../request/bearer-challenge.ts'
import type { HttpRequest } from '../request/http-request.ts'
import type { Identify } from '../request/identify.ts'
import { type HttpGate, toRefusal } from '../serve-route.ts'
import { originOf, protectedResourceUrl } from './protected-resource.ts'

export interface McpGateOptions {
  gate: HttpGate
  identify: Identify
  /** Web pages of these origins may come in, beside our own. */
  origins: readonly string[]
}

/** Admits MCP clients, and refuses others with what they lack. */
export interface McpGate {
  /** Throws for pages of foreign origins, without a key or token, and if there is no such agent. */
  admit(request: HttpRequest, isAgain?: boolean): Promise<Caller>
  /** The refusal of what `admit` or anything after it threw. */
  refuse(error: unknown, named: { request: HttpRequest; requestId: string }): Reply
  /** The answer, readable for a page of an allowed origin. */
  share(reply: Reply, request: HttpRequest): Reply
  /** The preflight request of a browser. */
  preflight(request: HttpRequest): Reply
}

const challenged: ReadonlySet<number> = new Set([401, 403])

/** Keys and tokens in the header; a browser's sign-in is not enough. */
export function createMcpGate(options: McpGateOptions): McpGate {
  const { gate, identify, origins } = options
  const { door } = gate
  const pages = createCrossOrigin({
    origins: [...origins, ...(door.publicUrl ? [door.publicUrl] : [])],
    subject: 'MCP',
    methods: 'GET, POST, DELETE',
    accepts: pageHeaders,
    // Those of arguments are named by tools, so only the page knows which it needs.
    acceptsPrefix: 'mcp-param-',
    exposes: ['mcp-session-id', 'mcp-protocol-version', 'www-authenticate', 'x-request-id'],
  })
  return {
    async admit(request, isAgain = false) {
      pages.check(request)
      if (request.header('authorization') === undefined) {
        throw door.throttle.fail(request, undefined) ?? noKey(door.api.tokenTerms())
      }
      const known = await identify(request, isAgain ? 'again' : 'change')
      assertMayCall(known, door.api.tokenTerms())
      const agent = request.param('agent')
      const caller = agent === undefined ? known : asAgent(known, { agent })
      await door.api.assertAgent(caller)
      return caller
    },
    refuse(error, named) {
      const reply = toRefusal(gate, error, named)
      if (!challenged.has(reply.status) || !isToolError(error)) return reply
      const origin = originOf(door, named.request)
      const metadataUrl = origin && protectedResourceUrl(origin, pathOf(named.request))
      const hasToken = named.request.header('authorization') !== undefined
      const terms = door.api.tokenTerms()
      const challenge = bearerChallenge({ metadataUrl, terms, ...(hasToken && { error }) })
      return { ...reply, headers: ['www-authenticate', challenge] }
    },
    share: pages.share,
    preflight: pages.preflight,
  }
}

/** All of MCP concerns tools: a caller who may call none is refused at once, for every request. */
function assertMayCall({ permissions }: Caller, { callScopes }: TokenTerms): void {
  if (compilePermissions(permissions).has('tools.call')) return
  throw new ToolError('forbidden', 'MCP clients need the permission tools.call', {
    fix: 'Use a key with the scope tools.call, or a token that permits it, of a member who may.',
    details: { missingScopes: callScopes.length > 0 ? callScopes : ['tools.call'] },
  })
}

/** As it was sent: `path` is decoded, and would put quotes and line ends into a header. */
function pathOf({ url }: HttpRequest): string {
  return new URL(url).pathname
}

function noKey({ issuers }: TokenTerms): ToolError {
  const key = 'Send Authorization: Bearer crib_… (make a key with `toolcrib keys create`)'
  return new ToolError('unauthorized', 'MCP clients need an API key or an access token', {
    fix: issuers.length > 0 ? `${key}, or sign in with ${issuers.join(' or ')}.` : `${key}.`,
  })
}

const pageHeaders = [
  'authorization',
  'content-type',
  'accept',
  'last-event-id',
  'mcp-session-id',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
]
