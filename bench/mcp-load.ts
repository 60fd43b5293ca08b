import autocannon from 'autocannon'
import { sampleInput } from './fixtures.ts'
import { treeCpu } from './tree-cpu.ts'

/** A server under load, and the name its tool has there. */
export interface McpTarget {
  url: string
  pid: number
  headers: Record<string, string>
  tool: string
}

export type Era = 'modern' | 'legacy'

export interface LoadResult {
  perSecond: number
  /** Of the server and what it started; NaN where that can't be told. */
  cpuMicros: number
}

const accept = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const older = '2025-11-25'
const answersWithinMs = 10_000

/** `tools/call` over and over for so many seconds, `width` at a time. */
export async function loadCalls(
  target: McpTarget,
  { era, width, seconds }: { era: Era; width: number; seconds: number },
): Promise<LoadResult> {
  const headers = { ...target.headers, ...(await eraHeaders(target, era)) }
  const body = JSON.stringify(toCall(target.tool, era))
  await checkAnswer(target, headers, body)
  const before = await treeCpu(target.pid)
  const result = await autocannon({
    url: target.url,
    method: 'POST',
    headers,
    body,
    connections: width,
    duration: seconds,
  })
  const after = await treeCpu(target.pid)
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${target.url}: ${result.non2xx} bad answers, ${result.errors} errors`)
  }
  const calls = result.requests.total
  const cpuMicros = before === undefined || after === undefined ? NaN : (after - before) / calls
  return { perSecond: calls / result.duration, cpuMicros }
}

/** An answer that is quick because it is an error would win. */
async function checkAnswer({ url }: McpTarget, headers: Record<string, string>, body: string) {
  const signal = AbortSignal.timeout(answersWithinMs)
  const text = await (await fetch(url, { method: 'POST', headers, body, signal })).text()
  if (!text.includes('\\"sum\\":42') || text.includes('"isError":true')) {
    throw new Error(`${url} did not add: ${text.slice(0, 500)}`)
  }
}

function toCall(name: string, era: Era) {
  const params = { name, arguments: sampleInput }
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/call' }
  return era === 'legacy' ? { ...request, params } : { ...request, params: withEnvelope(params) }
}

function withEnvelope(params: object) {
  const key = 'io.modelcontextprotocol/'
  const meta = {
    [`${key}protocolVersion`]: '2026-07-28',
    [`${key}clientCapabilities`]: {},
    [`${key}clientInfo`]: { name: 'bench', version: '1' },
  }
  return { ...params, _meta: meta }
}

async function eraHeaders({ url, headers, tool }: McpTarget, era: Era) {
  if (era === 'modern') {
    const named = { 'mcp-method': 'tools/call', 'mcp-name': tool }
    return { ...accept, 'mcp-protocol-version': '2026-07-28', ...named }
  }
  const session = await openSession(url, { ...accept, ...headers })
  return { ...accept, 'mcp-protocol-version': older, ...session }
}

/** Servers that want a session give one; without a word of it, none is needed. */
async function openSession(url: string, headers: Record<string, string>) {
  const post = (message: object) =>
    fetch(url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...message }) })
  const clientInfo = { name: 'bench', version: '1' }
  const params = { protocolVersion: older, capabilities: {}, clientInfo }
  const opened = await post({ id: 0, method: 'initialize', params })
  await opened.text()
  const id = opened.headers.get('mcp-session-id')
  if (id === null) return {}
  const session = { 'mcp-session-id': id }
  const initialized = { method: 'notifications/initialized' }
  const body = JSON.stringify({ jsonrpc: '2.0', ...initialized })
  await (await fetch(url, { method: 'POST', headers: { ...headers, ...session }, body })).text()
  return session
}
