import { SERVER_INFO_META_KEY } from '@modelcontextprotocol/server'
import { isRecord } from '../../../core/kernel/json/json-type.ts'
import type { McpShared } from '../mcp-shared.ts'
import type { McpRequestContext } from '../mcp-request-context.ts'
import { serverInfo } from '../server-info.ts'
import type { McpEra } from '../results/mcp-output.ts'
import { toolPage } from './tool-pages.ts'

/** A `tools/list` with nothing unusual about it. */
interface PlainList {
  id: string | number
  cursor: unknown
  era: McpEra
}

const today = '2026-07-28'
const older = ['2025-11-25', '2025-06-18', '2025-03-26']
const envelope = 'io.modelcontextprotocol/'

/**
 * The answer to a plain `tools/list`, assembled from bytes kept with the offer: a list of a
 * thousand tools costs no more than sending it. Undefined for anything else, malformed or merely
 * less usual: the general path handles that.
 */
export async function readyList(
  shared: McpShared,
  requestContext: McpRequestContext,
  { headers, body }: { headers: Headers; body: unknown },
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const plain = readPlainList(headers, body)
  if (plain === undefined) return undefined
  try {
    const { era, cursor } = plain
    const { pageSize } = shared.limits
    const offer = await shared.api.offer(requestContext.caller)
    const { bytes } = toolPage(offer, { scope: requestContext.scope, era, cursor, pageSize })
    const head = Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(plain.id)},"result":{`)
    return Buffer.concat([head, bytes, Buffer.from(`${rest(shared, requestContext, era)}}}`)])
  } catch {
    // Refused by the general path.
    return undefined
  }
}

function rest(shared: McpShared, requestContext: McpRequestContext, era: McpEra): string {
  if (era === 'legacy') return ''
  const info = serverInfo(shared, { requestContext, era, isTwoWay: false })
  const meta = JSON.stringify({ [SERVER_INFO_META_KEY]: info })
  return `,"resultType":"complete","ttlMs":${shared.limits.listTtlMs},"cacheScope":"private","_meta":${meta}`
}

function readPlainList(headers: Headers, body: unknown): PlainList | undefined {
  if (!isRecord(body) || body['method'] !== 'tools/list') return undefined
  const { id, params = {}, jsonrpc } = body
  if (jsonrpc !== '2.0' || !isId(id) || !isRecord(params) || !takesJson(headers)) return undefined
  const { cursor, _meta: meta = {}, ...unusual } = params
  if (!isRecord(meta) || Object.keys(unusual).length > 0) return undefined
  const era = eraOf(headers, meta)
  return era && { id, cursor, era }
}

function isId(id: unknown): id is string | number {
  return typeof id === 'string' || Number.isSafeInteger(id)
}

function takesJson(headers: Headers): boolean {
  const accept = headers.get('accept') ?? ''
  return accept.includes('application/json') && accept.includes('text/event-stream')
}

function eraOf(headers: Headers, meta: Readonly<Record<string, unknown>>): McpEra | undefined {
  const version = headers.get('mcp-protocol-version')
  if (headers.get('mcp-name') !== null) return undefined
  const isEnveloped = Object.keys(meta).some((key) => key.startsWith(envelope))
  if (version === null || older.includes(version)) return isEnveloped ? undefined : 'legacy'
  const isPlain =
    version === today &&
    headers.get('mcp-method') === 'tools/list' &&
    meta[`${envelope}protocolVersion`] === today &&
    isRecord(meta[`${envelope}clientCapabilities`]) &&
    isClientInfo(meta[`${envelope}clientInfo`])
  return isPlain ? 'modern' : undefined
}

function isClientInfo(info: unknown): boolean {
  if (info === undefined) return true
  return isRecord(info) && typeof info['name'] === 'string' && typeof info['version'] === 'string'
}
