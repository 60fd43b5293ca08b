import type { ProtocolError } from '@modelcontextprotocol/server'
import type { OfferedTool } from '../../../core/offer/tool-offer.ts'
import { isSettled } from '../../../core/call-state.ts'
import { cacheByIdentity } from '../../../core/kernel/identity-cache.ts'
import { serverInfo } from '../server-info.ts'
import type { McpShared } from '../mcp-shared.ts'
import type { McpRequestContext } from '../mcp-request-context.ts'
import { toProtocolError } from '../protocol-error.ts'
import { throwRefusal } from '../tools/throw-refusal.ts'
import { renderResult } from '../tools/render-result.ts'
import { mcpOutput } from '../results/mcp-output.ts'
import { findResultTool } from '../tools/result-tool.ts'
import { toPendingResult } from '../results/to-tool-result.ts'
import { waitForResult } from '../tools/wait-for-result.ts'
import { HotClient } from './hot-client.ts'
import type { HotCall } from './read-hot-call.ts'

/** One plain call that is under way. */
export interface HotRequest {
  shared: McpShared
  requestContext: McpRequestContext
  call: HotCall
  tool: OfferedTool
  /** Receives the id, so that a disconnecting client can end its call. */
  onCall(callId: string): void
  /** Aborted when the client leaves; asked for only where the call has to be waited for. */
  signal(): AbortSignal
}

/** An answer, as HTTP sends it. */
export interface HotAnswer {
  status: number
  body: string
}

/** Tools whose calls are always plain: they run at once, ask nobody, and want nothing in headers. */
export function isHotTool(tool: OfferedTool): boolean {
  return tool.execution === 'inline' && !tool.asks && plainness(tool).isPlain
}

const plainness = cacheByIdentity((tool: OfferedTool) => ({
  isPlain:
    tool.clientNeeds === undefined && !JSON.stringify(tool.inputSchema).includes('"x-mcp-header"'),
}))

/** Calls the tool and answers as the long way would. Never rejects. */
export async function answerHotCall(hot: HotRequest): Promise<HotAnswer> {
  const { call, shared } = hot
  try {
    const result = await run(hot)
    const isModern = call.era === 'modern'
    const frame = isModern ? { ...withServer(result, hot), resultType: 'complete' } : result
    return { status: 200, body: JSON.stringify({ result: frame, jsonrpc: '2.0', id: call.id }) }
  } catch (error) {
    return toErrorAnswer(toProtocolError(error, shared.onFault), call)
  }
}

async function run(hot: HotRequest) {
  const { shared, requestContext, call, tool } = hot
  const client = new HotClient()
  const first = await shared.api.call({
    tool: tool.name,
    input: call.input,
    caller: requestContext.caller,
    client,
    durable: true,
    onCall: hot.onCall,
  })
  throwRefusal(first, client.missing ?? new Set(), call.era)
  const output = mcpOutput(tool, call.era)
  const { era } = call
  const result = isSettled(first.status)
    ? first
    : await waitForResult(first, { shared, requestContext, signal: hot.signal(), line: undefined })
  if (isSettled(result.status)) return renderResult(result, { shared, requestContext, era, output })
  const offer = await shared.api.offer(requestContext.caller)
  const hasResultTool = findResultTool(offer, requestContext.scope) !== undefined
  return toPendingResult(result, { output, hasResultTool })
}

const serverKey = 'io.modelcontextprotocol/serverInfo'

function withServer<T extends { _meta?: object }>(
  result: T,
  { shared, requestContext, call }: HotRequest,
): T {
  const info = serverInfo(shared, { requestContext, era: call.era, isTwoWay: false })
  return { ...result, _meta: { ...result['_meta'], [serverKey]: info } }
}

/** MissingRequiredClientCapability has a status of its own. */
const missingCapability = -32_021

function toErrorAnswer({ code, message, data }: ProtocolError, { id, era }: HotCall): HotAnswer {
  const error = { code, message, ...(data !== undefined && { data }) }
  const status = era === 'modern' && code === missingCapability ? 400 : 200
  return { status, body: JSON.stringify({ jsonrpc: '2.0', id, error }) }
}
