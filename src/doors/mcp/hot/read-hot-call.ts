import type { IncomingHttpHeaders } from 'node:http'
import { isRecord } from '../../../core/kernel/json/json-type.ts'
import { isLightId } from '../sessions/light-session.ts'
import type { McpEra } from '../results/mcp-output.ts'

/** A `tools/call` with nothing unusual about it. */
export interface HotCall {
  id: string | number
  name: string
  input: unknown
  era: McpEra
}

const today = '2026-07-28'
const olderVersions = new Set([undefined, '2025-11-25', '2025-06-18', '2025-03-26'])
const envelope = 'io.modelcontextprotocol/'
// Put together once, and not for every call.
const versionKey = `${envelope}protocolVersion`
const capabilitiesKey = `${envelope}clientCapabilities`
const infoKey = `${envelope}clientInfo`
const levelKey = `${envelope}logLevel`
/** Capabilities with which a client can be asked, or can fetch its result later. */
const askable = ['elicitation', 'sampling', 'roots', 'extensions'] as const

/**
 * Reads a plain `tools/call` of either era, validated as the protocol requires. Undefined for
 * anything else, malformed or merely less usual: the general path handles that.
 */
export function readHotCall(headers: IncomingHttpHeaders, body: unknown): HotCall | undefined {
  if (!isRecord(body) || body['jsonrpc'] !== '2.0' || body['method'] !== 'tools/call') {
    return undefined
  }
  const { id, params } = body
  if (!isRequestId(id) || !isRecord(params) || Object.keys(body).length > 4) return undefined
  const plain = readParams(params)
  const era = plain && eraOf(headers, plain.name, plain.meta)
  return era && { id, name: plain.name, input: plain.input, era }
}

function readParams(params: Readonly<Record<string, unknown>>) {
  const { name, arguments: input = {}, _meta: meta = {} } = params
  const known = 1 + Number('arguments' in params) + Number('_meta' in params)
  if (typeof name !== 'string' || Object.keys(params).length > known) return undefined
  return isRecord(input) && isRecord(meta) ? { name, input, meta } : undefined
}

/** Headers of the usual request: JSON, answered as JSON, and in no session with state. */
export function mayBeHot(headers: IncomingHttpHeaders): boolean {
  const { accept = '', 'content-type': type = '', 'mcp-method': method } = headers
  return (
    (method === undefined || method === 'tools/call') &&
    isFree(headers['mcp-session-id']) &&
    headers['content-encoding'] === undefined &&
    accept.includes('application/json') &&
    accept.includes('text/event-stream') &&
    (type === 'application/json' || type === 'application/json; charset=utf-8')
  )
}

/** A session that is a name and no more asks for nothing else. */
function isFree(session: string | string[] | undefined): boolean {
  return session === undefined || (typeof session === 'string' && isLightId(session))
}

function isRequestId(id: unknown): id is string | number {
  return typeof id === 'string' || Number.isSafeInteger(id)
}

function eraOf(
  headers: IncomingHttpHeaders,
  name: string,
  meta: Readonly<Record<string, unknown>>,
): McpEra | undefined {
  if (meta['progressToken'] !== undefined || meta['toolcrib/idempotencyKey'] !== undefined) {
    return undefined
  }
  if (headers['mcp-method'] === undefined) return isOlder(headers, meta) ? 'legacy' : undefined
  return isToday(headers, name, meta) ? 'modern' : undefined
}

function isToday(
  headers: IncomingHttpHeaders,
  name: string,
  meta: Readonly<Record<string, unknown>>,
): boolean {
  const capabilities = meta[capabilitiesKey]
  return (
    headers['mcp-protocol-version'] === today &&
    headers['mcp-name'] === name &&
    meta[versionKey] === today &&
    meta[levelKey] === undefined &&
    isClientInfo(meta[infoKey]) &&
    isRecord(capabilities) &&
    askable.every((ability) => capabilities[ability] === undefined)
  )
}

function isClientInfo(info: unknown): boolean {
  if (info === undefined) return true
  return isRecord(info) && typeof info['name'] === 'string' && typeof info['version'] === 'string'
}

/** Without a session the client's capabilities are unknown, so it cannot be asked anything. */
function isOlder(headers: IncomingHttpHeaders, meta: Readonly<Record<string, unknown>>): boolean {
  const version = headers['mcp-protocol-version']
  return (
    headers['mcp-name'] === undefined &&
    olderVersions.has(typeof version === 'string' ? version : undefined) &&
    Object.keys(meta).every((key) => !key.startsWith(envelope))
  )
}
