import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { Agent } from 'undici'
import type { NetworkGuard } from '../../../core/host/host-network.ts'
import { isToolError } from '../../../core/kernel/errors.ts'
import { portOf } from '../../../core/net/port-rule.ts'
import { bareHost } from '../guarded-connector.ts'
import { passedOn } from './hop-headers.ts'

interface Forwarding {
  agent: Agent
  guard: NetworkGuard
}

/** Sends a plain request on as it is, and its answer back: nothing is followed or decoded. */
export async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { url, agent, guard }: Forwarding & { url: URL },
): Promise<void> {
  const host = bareHost(url.hostname)
  const port = portOf(url)
  await guard.assertMayReach(host, port)
  const controller = new AbortController()
  response.once('close', () => controller.abort())
  try {
    const answer = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: request.method ?? 'GET',
      headers: passedOn(request.rawHeaders),
      body: hasBody(request) ? request : null,
      signal: controller.signal,
      responseHeaders: 'raw',
    })
    const headers = (answer.headers as unknown as string[]).map(String)
    response.writeHead(answer.statusCode, passedOn(headers))
    await pipeline(answer.body, response)
  } catch (error) {
    if (isToolError(error) && error.code === 'forbidden') {
      guard.onRefused?.(host, port, error.message)
    }
    throw error
  }
}

export function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': coding } = headers
  return coding !== undefined || (length !== undefined && length !== '0')
}
