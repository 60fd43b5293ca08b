import { askOperation } from '../../features/ask-operation.ts'
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '../../core/kernel/call.ts'
import { asAgent } from '../../core/kernel/caller.ts'
import type { McpDoor } from '../mcp/mcp-door.ts'
import { leftReason } from '../mcp/calls/leaving.ts'
import { callerIn } from '../mcp/mcp-request-context.ts'
import { answerHotCall, type HotAnswer, isHotTool } from '../mcp/hot/answer-hot-call.ts'
import { type HotCall, mayBeHot, readHotCall } from '../mcp/hot/read-hot-call.ts'
import { readBytes } from './read-bytes.ts'
import { writeReply } from './reply.ts'
import { bearerToken } from './request/identify.ts'
import { parseJsonText, turnForBody } from './request/request-body.ts'
import type { HttpGate } from './serve-route.ts'

/** Takes a request and answers true, or leaves it to the app. `goOn` hands it to the app after all. */
export type McpFastPath = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  goOn: () => void,
) => boolean

const address = /^\/mcp(?:\/([a-z][a-z0-9-]{0,62}))?$/

interface PendingDialog {
  incoming: IncomingMessage
  outgoing: ServerResponse
  agent: string | undefined
}

/**
 * The fast path of a plain `tools/call`: no web Request, no server object of the SDK, and JSON
 * straight to the socket. Unusual and malformed requests take the general path with the body
 * already read, and are answered there as the protocol requires.
 */
export function createMcpFastPath(gate: HttpGate, door: McpDoor): McpFastPath {
  const { maxBodyBytes } = gate.door.limits
  return function takeRequest(incoming, outgoing, goOn) {
    if (incoming.method !== 'POST') return false
    const match = address.exec(incoming.url ?? '')
    const { headers } = incoming
    // Pages on the web and operators of other tenants are looked at by the app.
    if (match === null || headers.origin !== undefined) return false
    if (headers['toolcrib-tenant'] !== undefined || gate.door.isDraining()) return false
    const length = headers['content-length']
    if (length === undefined || Number(length) > maxBodyBytes || !mayBeHot(headers)) return false
    const dialog = { incoming, outgoing, agent: match[1] }
    void attend(gate, door, dialog).then(
      // A client that has disconnected would be answered as if it were there: the app is not
      // notified any more.
      (isAnswered) => isAnswered || outgoing.destroyed || goOn(),
      () => outgoing.destroy(),
    )
    return true
  }
}

/** False where the long way has to answer. */
async function attend(gate: HttpGate, door: McpDoor, dialog: PendingDialog): Promise<boolean> {
  const { incoming } = dialog
  const bytes = await readBytes(incoming)
  const turn = turnForBody(bytes.byteLength)
  if (turn !== undefined) await turn
  const call = readCall(gate, incoming, bytes)
  const found =
    call && !isThrottled(gate, incoming) ? await findTool(door, dialog, call) : undefined
  if (call === undefined || found === undefined) {
    // Where the app looks for a body that was read before it.
    Object.assign(incoming, { rawBody: bytes })
    return false
  }
  // Nothing runs for who has left before it began.
  if (dialog.outgoing.destroyed) return true
  const { caller, tool } = found
  gate.onCaller?.(incoming, caller)
  const leaving = watchLeaving(door, caller, dialog)
  const open =
    caller.sessionId === undefined ? undefined : door.shared.openRequests.open(caller, call.id)
  const answer = await answerHotCall({
    shared: door.shared,
    requestContext: { caller, scope: {}, recheck: () => Promise.resolve() },
    call,
    tool,
    onCall(callId) {
      leaving.onCall(callId)
      open?.onCall(callId)
    },
    signal: leaving.signal,
  })
  open?.close()
  write(gate, dialog, answer)
  return true
}

/** The long way looks at what comes from where too much has failed. */
function isThrottled({ door }: HttpGate, { socket, headers }: IncomingMessage): boolean {
  return door.throttle.isOver({
    address: socket.remoteAddress,
    header(name) {
      const value = headers[name]
      return typeof value === 'string' ? value : undefined
    },
  })
}

function readCall(
  { door }: HttpGate,
  { headers }: IncomingMessage,
  bytes: Buffer,
): HotCall | undefined {
  // The general path reports what is wrong with it.
  if (!isUtf8(bytes)) return undefined
  try {
    return readHotCall(headers, parseJsonText(bytes.toString('utf8'), door.limits.maxJsonDepth))
  } catch {
    return undefined
  }
}

async function findTool({ shared }: McpDoor, { incoming, agent }: PendingDialog, call: HotCall) {
  const token = bearerToken(incoming.headers.authorization)
  if (token === undefined) return undefined
  try {
    const known = await shared.api.authenticate(token, 'mcp')
    if (known === undefined) return undefined
    const acting = agent === undefined ? known : asAgent(known, { agent })
    const session = incoming.headers['mcp-session-id']
    // Today's era knows no sessions.
    const isNamed = typeof session === 'string' && call.era === 'legacy'
    const caller = isNamed ? callerIn(acting, session) : acting
    const offer = shared.api.offer(caller)
    const tool = (offer instanceof Promise ? await offer : offer).find(call.name)
    return tool !== undefined && isHotTool(tool) ? { caller, tool } : undefined
  } catch {
    return undefined
  }
}

/**
 * Disconnecting cancels the call: the answer is one piece of JSON on this connection, and nobody
 * can ask for it again.
 */
function watchLeaving({ shared }: McpDoor, caller: Caller, { outgoing }: PendingDialog) {
  let callId: string | undefined
  let hasLeft = false
  let controller: AbortController | undefined
  function cancel(): void {
    // It may have settled in the meantime, and then there is nothing to end.
    if (callId === undefined) return
    const asking = { api: shared.api, caller }
    askOperation(asking, 'cancelCall', { id: callId }).catch(() => undefined)
  }
  outgoing.once('close', () => {
    if (outgoing.writableFinished) return
    hasLeft = true
    // Other work that it waits for continues without it.
    if (controller === undefined) cancel()
    else controller.abort(leftReason)
  })
  return {
    onCall(id: string) {
      callId = id
      if (hasLeft) cancel()
    },
    /** Made when it is asked for: most calls never are waited for. */
    signal() {
      controller ??= new AbortController()
      if (outgoing.closed) controller.abort(leftReason)
      return controller.signal
    },
  }
}

function write(gate: HttpGate, { incoming, outgoing }: PendingDialog, answer: HotAnswer): void {
  const given = incoming.headers['x-request-id']
  const requestId = gate.toRequestId(typeof given === 'string' ? given : undefined)
  writeReply({ ...answer, type: 'application/json' }, requestId, outgoing)
}
