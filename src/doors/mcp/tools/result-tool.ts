import { askOperation } from '../../../features/ask-operation.ts'
import type {
  CallToolRequest,
  CallToolResult,
  ServerContext,
  Tool,
} from '@modelcontextprotocol/server'
import { isToolError, ToolError } from '../../../core/kernel/errors.ts'
import type { OfferedTool, ToolOffer } from '../../../core/offer/tool-offer.ts'
import { cacheByIdentity } from '../../../core/kernel/identity-cache.ts'
import { isSettled } from '../../../core/call-state.ts'
import { toLine } from '../calls/caller-line.ts'
import { isOwn } from './lost-call.ts'
import type { McpRequest } from '../mcp-shared.ts'
import type { McpScope } from '../mcp-request-context.ts'
import { renderResult } from './render-result.ts'
import { describeError, resultToolName, toPendingResult } from '../results/to-tool-result.ts'
import { waitOn } from './wait-for-result.ts'

/**
 * Gives a model the result of a call that waits for a person or continues in the background. A
 * client with tasks fetches it by itself, and a person can open the call's resource; most models
 * can do neither. It returns only results of its caller's own calls, so it needs no grant.
 */
const resultTool: Tool = {
  name: resultToolName,
  title: 'Result of an earlier call',
  description:
    'Get the result of a call that was reported as waiting for a person or still running, by its call id. Waits a while for it. Do not repeat the call itself.',
  inputSchema: {
    type: 'object',
    properties: {
      callId: { type: 'string', description: 'The id that the answer gave, call_ and more' },
    },
    required: ['callId'],
  },
  annotations: {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
}

/** Listed where a call may be answered before it has settled, unless a tool has taken the name. */
export function findResultTool(offer: ToolOffer, { server }: McpScope): Tool | undefined {
  return server === undefined && outlasts(offer).may ? resultTool : undefined
}

const outlasts = cacheByIdentity((offer: ToolOffer) => ({
  may:
    offer.find(resultToolName) === undefined &&
    (offer.mode === 'search' || offer.tools.some(mayOutlast)),
}))

function mayOutlast({ asks, mayAsk, execution }: OfferedTool): boolean {
  return asks || mayAsk || execution !== 'inline'
}

/** The answer of a call to it. */
export async function readResult(
  params: CallToolRequest['params'],
  request: McpRequest,
  context: ServerContext,
): Promise<CallToolResult> {
  const { shared, requestContext, era } = request
  const callId = params.arguments?.['callId']
  if (typeof callId !== 'string') {
    const issues = [{ path: '/callId', message: 'must be the id of a call' }]
    return toRefusal({ code: 'invalid_input', message: 'The input does not fit', issues })
  }
  try {
    const { signal } = context.mcpReq
    const asking = { api: shared.api, caller: requestContext.caller }
    const found = await askOperation(asking, 'findCall', { id: callId })
    if (!isOwn(found, requestContext.caller))
      throw new ToolError('not_found', `There is no call ${callId}`)
    const line = toLine(context)
    const result = await waitOn(found, { shared, requestContext, signal, line })
    const frame = { era }
    return isSettled(result.status)
      ? await renderResult(result, { ...request, ...frame })
      : toPendingResult(result, { ...frame, hasResultTool: true })
  } catch (error) {
    if (!isToolError(error) || error.code !== 'not_found') throw error
    return toRefusal({ code: error.code, message: error.message, fix: error.fix })
  }
}

function toRefusal(error: Omit<Parameters<typeof describeError>[0], 'retryable'>): CallToolResult {
  const text = describeError({ ...error, retryable: false })
  return { content: [{ type: 'text', text }], isError: true }
}
