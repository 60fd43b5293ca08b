import type { ToolResultPart } from 'ai'
import type { CallError } from '../../core/kernel/call.ts'
import { type ContentBlock, isContentOutput } from '../../core/kernel/content.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import { isRecord } from '../../core/kernel/json/json-type.ts'
import { toJsonValue } from '../../core/pipeline/output/to-json-value.ts'
import { isShown, type OutputMedia } from '../../core/models/provider-apis.ts'
import type { Outcome } from './tool-run.ts'

/** The AI SDK's form of a tool result for a model. */
export type ModelOutput = ToolResultPart['output']

/**
 * An outcome as a JSON value that a UI can store and show. Plain outputs stay as they are; others
 * have a `$call`, also after they were stored and read again.
 */
export interface CallNotice {
  $call: {
    status: 'completed' | 'denied' | 'pending'
    callId?: string
    code?: string
    message: string
    approvalId?: string
  }
  output?: JsonValue
}

/** The output of a call for the SDK. Failures are thrown, with our words and nobody's internals. */
export function toToolOutput(outcome: Outcome): JsonValue {
  if (outcome.kind === 'failed') throw toModelError(outcome.error)
  if (outcome.kind === 'done' && outcome.note === undefined) return outcome.output
  return toNotice(outcome) as unknown as JsonValue
}

/** The error that the SDK shows to the model: code, message, places and fix. */
export function toModelError(error: CallError): ToolError {
  const words = describeError(error)
  const told = new ToolError(error.code, words, { retryable: error.retryable })
  // The SDK builds the model's error from this; the name of a class means nothing to it.
  return Object.defineProperty(told, 'toString', { value: () => words })
}

/** An error in one text for a model. */
export function describeError({ code, message, issues = [], fix, retryable }: CallError): string {
  const places = issues.map((issue) => `${issue.path || '/'} ${issue.message}`)
  const lines = [
    `${code}: ${message}`,
    ...(places.length > 0 ? [places.join('; ')] : []),
    ...(fix === undefined ? [] : [fix]),
    ...(retryable ? ['Trying again later may help.'] : []),
  ]
  return lines.join('\n')
}

function toNotice(outcome: Exclude<Outcome, { kind: 'failed' }>): CallNotice {
  const of = outcome.callId === undefined ? {} : { callId: outcome.callId }
  switch (outcome.kind) {
    case 'done':
      return {
        $call: { status: 'completed', ...of, message: outcome.note ?? '' },
        output: outcome.output,
      }
    case 'denied': {
      const { code } = outcome.error
      return { $call: { status: 'denied', ...of, code, message: describeError(outcome.error) } }
    }
    case 'pending':
      return { $call: { status: 'pending', ...of, ...pendingWords(outcome) } }
  }
}

function pendingWords({ approvalId, callId, status }: Extract<Outcome, { kind: 'pending' }>) {
  if (approvalId !== undefined) {
    const message = `Not run yet: a person has to approve it first (${approvalId}). Do not call it again; say that it waits.`
    return { approvalId, message }
  }
  const how = status === 'waiting' ? 'waits for an answer from outside' : `is ${status}`
  return {
    message: `Not finished yet: ${callId} ${how}. Do not call it again; say that it is under way.`,
  }
}

/** True for a value made of an outcome that contains more than its output. */
export function isCallNotice(value: unknown): value is CallNotice {
  return (
    isRecord(value) && isRecord(value['$call']) && typeof value['$call']['message'] === 'string'
  )
}

/** An output in the form for the model. Never throws, whatever a client stored in its place. */
export function toModelOutput(
  { output }: { output: unknown },
  media: OutputMedia = 'all',
): ModelOutput {
  if (!isCallNotice(output)) return plainOutput(output, media)
  const { status, message } = output.$call
  if (status === 'denied') return { type: 'execution-denied', reason: message }
  if (status === 'pending' || output.output === undefined) return { type: 'text', value: message }
  const inner = plainOutput(output.output, media)
  const value =
    inner.type === 'content'
      ? inner.value
      : [{ type: 'text' as const, text: textOf(output.output) }]
  return toContent([{ type: 'text', text: message }, ...value])
}

/**
 * Without empty texts: Anthropic refuses a whole request for one. Texts alone become one text:
 * providers of Chat Completions would write a list of them as JSON.
 */
function toContent(parts: readonly ContentPart[]): ModelOutput {
  const value = parts.filter((part) => part.type !== 'text' || part.text !== '')
  const texts = value.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  if (texts.length < value.length) return { type: 'content', value }
  return { type: 'text', value: texts.join('\n') }
}

function plainOutput(output: unknown, media: OutputMedia): ModelOutput {
  if (typeof output === 'string') return { type: 'text', value: output }
  if (isContentOutput(output)) {
    return toContent(output.$content.map((block) => toContentPart(block, media)))
  }
  return { type: 'json', value: toJsonValue(output ?? null).value }
}

function textOf(output: JsonValue): string {
  return typeof output === 'string' ? output : JSON.stringify(output)
}

type ContentPart = Extract<ModelOutput, { type: 'content' }>['value'][number]

function toContentPart(block: ContentBlock, media: OutputMedia): ContentPart {
  const file = (data: string, mediaType: string): ContentPart => {
    // Without bytes it is not a file: they are stored elsewhere, or never existed.
    const isFile = data !== '' && isShown(mediaType, media)
    if (isFile) return { type: 'file', data: { type: 'data', data }, mediaType }
    return { type: 'text', text: `[${block.type}, ${mediaType}: it can't be shown here]` }
  }
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text }
    case 'image':
    case 'audio':
      return file(block.data, block.mimeType)
    case 'resource':
      if ('text' in block.resource) return { type: 'text', text: block.resource.text }
      return file(block.resource.blob, block.resource.mimeType ?? 'application/octet-stream')
    case 'resource_link':
      return {
        type: 'text',
        text: [block.title ?? block.name, block.uri, block.description].filter(Boolean).join('\n'),
      }
    default:
      return { type: 'text', text: JSON.stringify(block) }
  }
}
