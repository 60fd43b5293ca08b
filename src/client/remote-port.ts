import { isSettled } from '../core/call-state.ts'
import type { CallRecord, CallResult, SettledStatus } from '../core/kernel/call.ts'
import type { ArtifactReference } from '../core/kernel/artifact-reference.ts'
import { toCallError } from '../core/pipeline/record/call-error.ts'
import { isToolError, ToolError, type ErrorCode } from '../core/kernel/errors.ts'
import { isToolName, isWireName } from '../core/kernel/names.ts'
import type { OfferedTool } from '../core/offer/tool-offer.ts'
import type { PortRequest, ToolPort } from '../core/offer/tool-port.ts'
import { asArrived, mayHaveArrived, type CribClient, type CribRequest } from './crib-client.ts'
import { createRemoteOffer, type RemoteAs, toOfferQuery } from './remote-offer.ts'
import { readCallStream } from './read-call-stream.ts'

/** Servers hold a request at most this long; longer waits are asked for again. */
const longestWaitSeconds = 50

interface Remote {
  client: CribClient
  as: RemoteAs
}

/** A crib behind HTTP as the caller of this key meets it. */
export function createRemotePort(
  client: CribClient,
  { freshMs, ...as }: RemoteAs & { freshMs: number },
): ToolPort {
  const remote: Remote = { client, as }
  return {
    offer: createRemoteOffer(client, { ...as, freshMs }),
    async call(request) {
      const made: { callId?: string; isSent?: boolean } = {}
      const onCall = (callId: string) => {
        if (made.callId !== callId) request.onCall?.(callId)
        made.callId = callId
      }
      try {
        request.signal?.throwIfAborted()
        made.isSent = true
        return await send(remote, { ...request, onCall })
      } catch (error) {
        if (request.signal?.aborted !== true) return toResult(asKnown(error, request, made.callId))
        const { callId, isSent } = made
        if (callId !== undefined) void cancel(client, callId).catch(() => undefined)
        else if (isSent === true) void cancelUnknown(client, request).catch(() => undefined)
        return toResult(givenUp(callId))
      }
    },
    async ask(request) {
      try {
        const response = await post(remote, '/ask', { request })
        return response.status === 204 ? undefined : ((await response.json()) as CallResult)
      } catch (error) {
        return toResult(error)
      }
    },
    findTool: (name) => findTool(remote, name),
    findCall: (callId, options) => findCall(client, callId, options),
    findByKey: (idempotencyKey) => findByKey(client, idempotencyKey),
    cancel: (callId) => cancel(client, callId),
    readArtifact: (callId, artifact) => readArtifact(client, callId, artifact),
  }
}

function post(
  { client, as }: Remote,
  path: string,
  { request, ...more }: { request: PortRequest } & CribRequest,
): Promise<Response> {
  const { tool, input, timeoutMs, idempotencyKey, priority, startAt } = request
  const { agent, skill, sessionId } = as
  return client.send(`/tools/${encodeURIComponent(tool)}${path}`, {
    method: 'POST',
    body: { input, agent, skill, sessionId, timeoutMs, priority, delay: secondsUntil(startAt) },
    ...more,
    headers: {
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      ...(request.respondAsync === true && { prefer: 'respond-async' }),
      ...more.headers,
    },
    isRepeatable: idempotencyKey !== undefined,
  })
}

function secondsUntil(startAt: number | undefined): number | undefined {
  return startAt === undefined ? undefined : Math.max(0, Math.ceil((startAt - Date.now()) / 1000))
}

async function send(remote: Remote, request: PortRequest): Promise<CallResult> {
  try {
    return await sendOnce(remote, request)
  } catch (error) {
    const isLost = isToolError(error) && mayHaveArrived(error)
    if (!isLost || request.idempotencyKey === undefined || request.signal?.aborted) throw error
    // By its key the call is found again, where the crib is back.
    return sendOnce(remote, request).catch((again: unknown) => {
      throw isToolError(again) ? asArrived(again) : again
    })
  }
}

/**
 * As a stream, which starts with the call and has keep-alives: a plain answer arrives only at the
 * end, and clients time out after some minutes. Leaving a stream ends its call; for a call with a
 * key, which would continue, the stream contains the id.
 */
async function sendOnce(remote: Remote, request: PortRequest): Promise<CallResult> {
  const { signal } = request
  const headers = { accept: 'text/event-stream' }
  const response = await post(remote, '/calls', { request, headers, signal })
  return untilAborted(readCallStream(response, request), signal)
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  const { promise, reject } = Promise.withResolvers<never>()
  const leave = () => reject(givenUp())
  signal.addEventListener('abort', leave, { once: true })
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', leave))
}

function givenUp(callId?: string): ToolError {
  const details = callId === undefined ? {} : { details: { callId } }
  return new ToolError('cancelled', 'The request was given up', details)
}

/** Also of those that are not listed, which the crib alone knows. */
async function findTool({ client, as }: Remote, name: string): Promise<OfferedTool | undefined> {
  // A model may produce any text, and the server would refuse the request.
  if (!isWireName(name) && !isToolName(name)) return undefined
  const query = { ...toOfferQuery(as), name, limit: 1 }
  const response = await client.send('/offer', { query, isRepeatable: true })
  const { items } = (await response.json()) as { items: OfferedTool[] }
  return items[0]
}

async function cancel(client: CribClient, callId: string): Promise<CallRecord> {
  const path = `/calls/${encodeURIComponent(callId)}/cancel`
  return (await (await client.send(path, { method: 'POST' })).json()) as CallRecord
}

async function findByKey(client: CribClient, idempotencyKey: string): Promise<CallRecord[]> {
  const query = { idempotencyKey, limit: 10 }
  const response = await client.send('/calls', { query, isRepeatable: true })
  return ((await response.json()) as { items: CallRecord[] }).items
}

/** How long after it was abandoned a call may still start. */
const looksAfterMs = [0, 200, 1000]

/**
 * A call that was abandoned before its id was known continues if it has a key. It is looked up, and
 * not requested again, because that might start it. Waiting calls are left alone.
 */
async function cancelUnknown(client: CribClient, { idempotencyKey }: PortRequest): Promise<void> {
  if (idempotencyKey === undefined) return
  for (const afterMs of looksAfterMs) {
    await new Promise((resolve) => setTimeout(resolve, afterMs))
    const calls = await findByKey(client, idempotencyKey)
    const running = calls.filter(({ status }) => status === 'running')
    await Promise.all(running.map(({ callId }) => cancel(client, callId)))
    if (calls.length > 0) return
  }
}

/** A remote call, awaited for the given time. */
export async function findCall(
  client: CribClient,
  callId: string,
  { waitMs = 0, signal }: { waitMs?: number; signal?: AbortSignal } = {},
): Promise<CallRecord> {
  const until = Date.now() + waitMs
  for (;;) {
    const left = Math.max(0, Math.ceil((until - Date.now()) / 1000))
    const wait = Math.min(left, longestWaitSeconds)
    const response = await client.send(`/calls/${encodeURIComponent(callId)}`, {
      query: { wait: wait === 0 ? undefined : wait },
      isRepeatable: true,
      signal,
    })
    const call = (await response.json()) as CallRecord
    if (left <= longestWaitSeconds || isSettled(call.status)) return call
  }
}

/** As large as a server gives. */
const pageBytes = 1_048_576

async function readArtifact(
  client: CribClient,
  callId: string,
  { id, bytes }: ArtifactReference,
): Promise<Uint8Array> {
  const whole = new Uint8Array(bytes)
  let offset = 0
  while (offset < bytes) {
    const response = await client.send(`/calls/${encodeURIComponent(callId)}/artifact`, {
      query: { artifact: id, offset, limit: pageBytes },
      headers: { accept: 'application/octet-stream' },
      isRepeatable: true,
    })
    const page = new Uint8Array(await response.arrayBuffer())
    // A shorter page than requested: the rest will not arrive either.
    if (page.length === 0) break
    whole.set(page.subarray(0, bytes - offset), offset)
    offset += page.length
  }
  return whole.subarray(0, offset)
}

/**
 * A call with a key may have an effect: without an answer its outcome is unknown. The same applies
 * to a started call whose caller loses access, for example by a revoked key.
 */
function asKnown(
  error: unknown,
  { idempotencyKey }: PortRequest,
  callId: string | undefined,
): unknown {
  if (idempotencyKey === undefined || !isToolError(error)) return error
  const isGone = mayHaveArrived(error)
  if (!isGone && callId === undefined) return error
  const why = isGone ? 'went away' : `broke off (${error.code}: ${error.message})`
  const where = callId === undefined ? 'the record' : callId
  return new ToolError(
    'outcome_unknown',
    `The crib ${why} before it answered: whether the call ran is not known`,
    {
      fix: `Do not call it again before ${where} shows its result.`,
      cause: error,
      ...(callId !== undefined && { details: { callId } }),
    },
  )
}

/** A refusal that names a call is how that call ended; any other came before there was one. */
function toResult(thrown: unknown): CallResult {
  const error = isToolError(thrown)
    ? toCallError(thrown)
    : {
        code: 'internal' as const,
        message: 'The answer of the crib could not be read',
        retryable: false,
      }
  const callId = isToolError(thrown) ? thrown.details['callId'] : undefined
  if (typeof callId !== 'string') return { status: 'failed', error }
  return { callId, status: statuses[error.code] ?? 'denied', error }
}

/** A refusal that names a call is a denial, with few exceptions. */
const statuses: Partial<Record<ErrorCode, SettledStatus>> = {
  record_failed: 'failed',
  outcome_unknown: 'failed',
  cancelled: 'cancelled',
}
