import { askOperation } from '../../../features/ask-operation.ts'
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { CallResult } from '../../../core/kernel/call.ts'
import { type ContentOutput, isContentOutput } from '../../../core/kernel/content.ts'
import { listKept, withBytes } from '../../../core/pipeline/output/kept-bytes.ts'
import type { JsonValue } from '../../../core/kernel/tool.ts'
import type { McpRequest } from '../mcp-shared.ts'
import type { McpOutput } from '../results/mcp-output.ts'
import { toToolResult } from '../results/to-tool-result.ts'

interface Rendering extends Pick<McpRequest, 'shared' | 'requestContext' | 'era'> {
  output?: McpOutput | undefined
}

/** A client that checks structured output gets the whole of it up to here, whatever the text was cut to. */
const maxStructuredBytes = 262_144

/** A settled call as an MCP result, with stored parts of its output inserted again. */
export async function renderResult(
  given: CallResult,
  rendering: Rendering,
): Promise<CallToolResult> {
  const { output: scope, era } = rendering
  const { output, callId } = given
  const result =
    isContentOutput(output) && callId !== undefined && listKept(output).length > 0
      ? { ...given, output: (await inflate(output, callId, rendering)) as never }
      : given
  const full = scope !== undefined ? await readFull(result, rendering) : undefined
  return toToolResult(result, { output: scope, era, ...(full !== undefined && { full }) })
}

function inflate(output: ContentOutput, callId: string, { shared, requestContext }: Rendering) {
  return withBytes(output, async ({ id, bytes }) => {
    const range = { id: callId, offset: 0, limit: bytes, artifact: id }
    const asking = { api: shared.api, caller: requestContext.caller }
    const { chunk } = await askOperation(asking, 'readArtifact', range)
    return Buffer.from(chunk).toString('base64')
  })
}

async function readFull(
  { callId, artifact }: CallResult,
  { shared, requestContext }: Rendering,
): Promise<JsonValue | undefined> {
  if (callId === undefined || artifact === undefined) return undefined
  if (artifact.bytes > maxStructuredBytes || artifact.mediaType !== 'application/json') {
    return undefined
  }
  const asking = { api: shared.api, caller: requestContext.caller }
  const range = { id: callId, offset: 0, limit: artifact.bytes }
  const { chunk } = await askOperation(asking, 'readArtifact', range)
  try {
    return JSON.parse(new TextDecoder().decode(chunk)) as JsonValue
  } catch {
    // Kept only in part.
    return undefined
  }
}
