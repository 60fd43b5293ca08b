import {
  type ClientCapabilities,
  isInitializeRequest,
  isJSONRPCRequest,
} from '@modelcontextprotocol/server'
import { cancelledId } from '../calls/cancelled-id.ts'
import { leftReason } from '../calls/leaving.ts'
import type { McpShared } from '../mcp-shared.ts'
import { holderOf, inSession, type McpRequestContext } from '../mcp-request-context.ts'
import { rpcError } from '../rpc-error.ts'
import { openSession, type McpSession } from './open-session.ts'

/** How a client shows that it reads notifications, even if it can be asked nothing. */
const stayingLine = 'toolcrib/line'

/** Clients of the older eras that can be asked something: each has a line that stays. */
export interface SessionRegister {
  /** Opens one for an `initialize`, or refuses. */
  open(requestContext: McpRequestContext, from: SessionRequest): Promise<Response>
  /** A request in a session; 404 if the session has ended or belongs to another client. */
  serve(id: string, requestContext: McpRequestContext, from: SessionRequest): Promise<Response>
  /** The requestContext as one in this session; undefined where `serve` would not find it. */
  find(id: string, requestContext: McpRequestContext): McpRequestContext | undefined
  /** Ends those that are idle now, and the others once they are. */
  close(): void
  readonly size: number
}

export interface SessionRequest {
  request: Request
  body: unknown
}

/**
 * Does this client say that it can be asked, or that its line stays, as that of our own bridge to
 * stdio does? Others need no session.
 */
export function needsSession(body: unknown): boolean {
  if (!isInitializeRequest(body)) return false
  const { elicitation, sampling, roots, experimental }: ClientCapabilities =
    body.params.capabilities
  const isAble = elicitation !== undefined || sampling !== undefined || roots !== undefined
  return isAble || experimental?.[stayingLine] !== undefined
}

/** Opens the register. */
export function createSessionRegister(shared: McpShared): SessionRegister {
  const { limits, onFault } = shared
  const sessions = new Map<string, McpSession>()
  let isClosing = false
  function end(session: McpSession): void {
    if (!sessions.delete(session.id)) return
    session.stopWatching()
    session.server.close().catch(onFault)
  }
  function endIdle(): void {
    const before = performance.now() - limits.sessionIdleMs
    for (const session of sessions.values()) {
      if (session.underWay === 0 && session.usedAt < before) end(session)
    }
  }
  const sweep = setInterval(endIdle, Math.min(60_000, limits.sessionIdleMs))
  sweep.unref()
  const onIdle = (session: McpSession) => void (isClosing && end(session))
  /**
   * A caller over its share loses the session that has been idle longest: clients forget to close
   * them. When every session is taken, the tenant with the most of them loses one.
   */
  function makeRoom(holder: string): boolean {
    const all = [...sessions.values()]
    const own = all.filter((session) => session.holder === holder)
    const hasShare = own.length < limits.maxSessionsPerCaller
    if (hasShare && all.length < limits.maxSessions) return true
    const oldest = longestIdle(hasShare ? ofLargestTenant(all) : own)
    if (oldest !== undefined) end(oldest)
    return oldest !== undefined
  }
  return {
    async open(context, from) {
      if (!makeRoom(holderOf(context.caller))) return tooMany(from.body)
      const session = await openSession(shared, context, (id) => {
        const gone = sessions.get(id)
        if (gone !== undefined) end(gone)
      })
      sessions.set(session.id, session)
      const response = await attend(session, from, onIdle)
      if (!response.ok) end(session)
      return response
    },
    async serve(id, requestContext, from) {
      const session = sessions.get(id)
      if (session === undefined || !isIts(session, requestContext)) return notFound(from.body)
      // The rights of the key are looked up on every request.
      session.conversation.requestContext = inSession(requestContext, id)
      return attend(session, from, onIdle)
    },
    find(id, context) {
      const session = sessions.get(id)
      return session !== undefined && isIts(session, context) ? inSession(context, id) : undefined
    },
    close() {
      clearInterval(sweep)
      isClosing = true
      for (const session of sessions.values()) if (session.underWay === 0) end(session)
    },
    get size() {
      return sessions.size
    },
  }
}

function longestIdle(sessions: readonly McpSession[]): McpSession | undefined {
  const idle = sessions.filter(({ underWay }) => underWay === 0)
  return idle.sort((left, right) => left.usedAt - right.usedAt)[0]
}

function ofLargestTenant(sessions: readonly McpSession[]): readonly McpSession[] {
  const groups = Object.values(
    Object.groupBy(sessions, ({ conversation }) => conversation.requestContext.caller.tenant),
  )
  return groups.reduce<readonly McpSession[]>(
    (most, group = []) => (group.length > most.length ? group : most),
    [],
  )
}

function isIts(
  { holder, conversation }: McpSession,
  { caller, scope }: McpRequestContext,
): boolean {
  return holder === holderOf(caller) && conversation.requestContext.scope.server === scope.server
}

function tooMany(body: unknown): Response {
  const message = 'Too many of your sessions are at work; end some of them'
  return rpcError({ status: 429, code: -32000, message }, body)
}

function notFound(body: unknown): Response {
  return rpcError({ status: 404, code: -32001, message: 'Session not found' }, body)
}

/** Neither answers nor a cancel would find the right one of two. */
function sameId(body: unknown): Response {
  const message = 'A request with this id is under way in this session'
  return rpcError({ status: 400, code: -32600, message }, body)
}

/** A session counts as used until the answer has been read to its end. */
async function attend(
  session: McpSession,
  { request, body }: SessionRequest,
  onIdle: (session: McpSession) => void,
): Promise<Response> {
  const id = isJSONRPCRequest(body) ? body.id : undefined
  if (id !== undefined && session.ids.has(id)) return sameId(body)
  if (id !== undefined) session.ids.add(id)
  session.underWay += 1
  let isLeft = false
  const leave = () => {
    if (isLeft) return
    isLeft = true
    if (id !== undefined) session.ids.delete(id)
    session.underWay -= 1
    session.usedAt = performance.now()
    if (session.underWay === 0) onIdle(session)
  }
  try {
    const response = await handOver(session, { request, body })
    endCancelled(session, body)
    if (response.body === null) return leaving(response, leave)
    return withEnd(response, leave, () => cancelRequest(session, body))
  } catch (error) {
    leave()
    throw error
  }
}

/**
 * A client that comes for the line of its session has lost the one it had, which may look alive from
 * here for minutes: the new one takes its place.
 */
async function handOver({ transport }: McpSession, { request, body }: SessionRequest) {
  const serve = () => transport.handleRequest(request, { parsedBody: body })
  const response = await serve()
  if (request.method !== 'GET' || response.status !== 409) return response
  transport.closeStandaloneSSEStream()
  return serve()
}

/**
 * A cancelled request gets no answer, and its stream would stay open for as long as its client
 * allows.
 */
function endCancelled({ transport }: McpSession, body: unknown): void {
  const id = cancelledId(body)
  if (id !== undefined) transport.closeSSEStream(id)
}

function leaving(response: Response, leave: () => void): Response {
  leave()
  return response
}

/**
 * A reader that stops has cancelled: streams of sessions cannot be resumed, so nobody would get the
 * answer or the questions of its tool. Handled as if the client had cancelled.
 */
function cancelRequest({ transport }: McpSession, body: unknown): void {
  if (!isJSONRPCRequest(body)) return
  const params = { requestId: body.id, reason: leftReason }
  transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
}

/** The same answer. `onEnd` is called when it was read, or nobody reads it any more; `onLeft` only then. */
function withEnd(response: Response, onEnd: () => void, onLeft: () => void): Response {
  const reader = response.body?.getReader()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await reader?.read().catch((error: unknown) => {
          onEnd()
          throw error
        })
        if (next?.done === false) return controller.enqueue(next.value)
        onEnd()
        controller.close()
      },
      async cancel(reason) {
        onEnd()
        onLeft()
        await reader?.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
  const { status, headers } = response
  return new Response(body, { status, headers })
}
