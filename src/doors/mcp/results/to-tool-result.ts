import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server'
import type { CallError, CallResult } from '../../../core/kernel/call.ts'
import { isContentOutput } from '../../../core/kernel/content.ts'
import { isRecord } from '../../../core/kernel/json/json-type.ts'
import type { JsonValue } from '../../../core/kernel/tool.ts'
import { type McpEra, type McpOutput, toNote } from './mcp-output.ts'

/** The tool by which a model gets the result of a call that continues; see `result-tool.ts`. */
export const resultToolName = 'toolcrib_result'

/** Options for showing the result of a call. */
export interface ResultFrame {
  /** Of a tool that promises a structured output, which the client checks. */
  output?: McpOutput | undefined
  era: McpEra
  /** The whole output of a call whose answer was cut, where it may be given after all. */
  full?: JsonValue
}

/** A settled call as the answer to `tools/call`. */
export function toToolResult(result: CallResult, frame: ResultFrame): CallToolResult {
  const body = result.status === 'completed' ? toOutput(result, frame) : toFailure(result)
  const notes = (result.warnings ?? []).map((text) => toText(`Warning: ${text}`))
  return {
    ...body,
    content: [...body.content, ...toLinks(result), ...notes],
    ...toMeta(result),
  }
}

/** Where the rest of a result lies, as a resource of this server. */
export function artifactUri(callId: string): string {
  return `crib://calls/${callId}/artifact`
}

/** A call as a resource of this server. */
export function callUri(callId: string): string {
  return `crib://calls/${callId}`
}

/** A call that has not settled, for a client that cannot be notified later. */
export function toPendingResult(
  result: CallResult,
  { output, hasResultTool }: Pick<ResultFrame, 'output'> & { hasResultTool: boolean },
): CallToolResult {
  const callId = result.callId ?? ''
  const why =
    result.waitingFor === 'approval'
      ? `waits for a person to approve it (${result.approvalId ?? 'see its approval'})`
      : result.waitingFor === 'external'
        ? 'waits for somebody outside to complete it'
        : 'is still at work'
  const way = hasResultTool
    ? `Ask ${resultToolName} for its result later, or read the resource ${callUri(callId)}.`
    : `Read the resource ${callUri(callId)} later for its result.`
  const text = `The call ${callId} ${why}. It is stored and continues by itself: do not call the tool again for it. ${way}`
  const link: ContentBlock = {
    type: 'resource_link',
    uri: callUri(callId),
    name: callId,
    title: 'The call, with its result once there is one',
    mimeType: 'application/json',
  }
  return {
    content: [toText(text), link],
    ...(output && withoutOutput(result, output, text)),
    ...toMeta(result),
  }
}

type Body = Pick<CallToolResult, 'structuredContent' | 'isError'> & { content: ContentBlock[] }

function toOutput(result: CallResult, frame: ResultFrame): Body {
  const output = result.output ?? null
  if (isContentOutput(output)) {
    const { $content } = output
    const $structured = output.$structured ?? structuredOf(frame.full)
    const content = [...($content as unknown as ContentBlock[])]
    if (frame.output !== undefined) return { content, ...toStructured(result, $structured, frame) }
    const isShown = $structured !== undefined && (frame.era === 'modern' || isRecord($structured))
    return { content, ...(isShown && { structuredContent: $structured }) }
  }
  const content = [toText(typeof output === 'string' ? output : JSON.stringify(output))]
  // A truncated output no longer matches the schema that the client checks it against.
  const whole = result.artifact === undefined ? output : frame.full
  return { content, ...toStructured(result, whole, frame) }
}

/** Where rich output was cut, its structured part may only be in the whole. */
function structuredOf(full: JsonValue | undefined): JsonValue | undefined {
  return isContentOutput(full) ? full.$structured : undefined
}

type Structured = Pick<CallToolResult, 'structuredContent' | 'isError'>

function toStructured(
  result: CallResult,
  value: JsonValue | undefined,
  { output }: Pick<ResultFrame, 'output'>,
): Structured {
  if (output === undefined) return {}
  if (value !== undefined && output.fits(value)) {
    return { structuredContent: output.toStructured(value) }
  }
  const note =
    value === undefined
      ? 'The call completed. Its output is too large to be given here as a whole; the text content has its beginning.'
      : 'The call completed. Its output does not fit the schema that the tool promises; the text content has it.'
  return withoutOutput(result, output, note)
}

/** A client that checks structured output throws away an answer without one, unless it is an error. */
function withoutOutput(result: CallResult, output: McpOutput, note: string): Structured {
  if (!output.takesNotes) return { isError: true }
  return { structuredContent: toNote(result, note) }
}

function toLinks({ callId, artifact }: CallResult): ContentBlock[] {
  if (artifact === undefined || callId === undefined) return []
  return [
    {
      type: 'resource_link',
      uri: artifactUri(callId),
      name: artifact.id,
      title: 'The whole output',
      description: `${artifact.bytes} bytes, of which the text above is the beginning`,
      mimeType: artifact.mediaType,
      size: artifact.bytes,
    },
  ]
}

function toFailure(result: CallResult): Body {
  const error = result.error
  const text = error === undefined ? `The call is ${result.status}` : describeError(error)
  return { content: [toText(text)], isError: true }
}

/** The text of a failure for a model: the code, the message, the place and the fix. */
export function describeError({ code, message, issues, fix, retryAfterMs }: CallError): string {
  const lines = [`${code}: ${message}`]
  for (const issue of issues ?? []) lines.push(`- ${issue.path || '/'} ${issue.message}`)
  if (fix !== undefined) lines.push(fix)
  if (retryAfterMs !== undefined) {
    lines.push(`Try again in ${Math.max(1, Math.ceil(retryAfterMs / 1000))} s.`)
  }
  return lines.join('\n')
}

function toText(text: string): ContentBlock {
  return { type: 'text', text }
}

function toMeta({ callId, error }: CallResult): Pick<CallToolResult, '_meta'> {
  if (callId === undefined && error === undefined) return {}
  return {
    _meta: {
      ...(callId !== undefined && { 'toolcrib/callId': callId }),
      ...(error !== undefined && { 'toolcrib/error': { ...error } }),
    },
  }
}
