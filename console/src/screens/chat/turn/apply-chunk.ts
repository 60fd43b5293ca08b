import { isTextPart, isToolPart } from './message.ts'
import type { Message, Part, TextPart, ToolPart } from './message.ts'

/** One chunk of an AI SDK UI message stream, version 1. */
export interface Chunk {
  type: string
  [key: string]: unknown
}

/**
 * A message after one more chunk. Unchanged parts stay the same objects, so a long message is not
 * rendered again for every word. A replay from the start gives the same message, never the same text
 * twice: that is how a lost connection is repaired.
 */
export function applyChunk(message: Message, chunk: Chunk): Message {
  const metadata = chunk['messageMetadata']
  const told =
    typeof metadata === 'object' && metadata !== null
      ? { ...message, metadata: { ...message.metadata, ...metadata } }
      : message
  if (chunk.type === 'start' && typeof chunk['messageId'] === 'string') {
    return { ...told, id: chunk['messageId'] }
  }
  const parts = appliers[chunk.type]?.(told.parts, chunk) ?? told.parts
  return parts === told.parts ? told : { ...told, parts }
}

type Parts = readonly Part[]
type Applier = (parts: Parts, chunk: Chunk) => Parts

const appliers: Readonly<Record<string, Applier>> = {
  'text-start': startText('text'),
  'text-delta': extendText('text'),
  'text-end': endText('text'),
  'reasoning-start': startText('reasoning'),
  'reasoning-delta': extendText('reasoning'),
  'reasoning-end': endText('reasoning'),
  file: pushAs('mediaType', 'url', 'filename'),
  'source-url': pushAs('sourceId', 'url', 'title'),
  'source-document': pushAs('sourceId', 'mediaType', 'title', 'filename'),
  'start-step': (parts) => [...parts, { type: 'step-start' }],
  'reset-step': (parts) =>
    parts.slice(0, parts.findLastIndex(({ type }) => type === 'step-start') + 1),
  'tool-input-start': (parts, chunk) =>
    changeTool(parts, chunk, { state: 'input-streaming', inputText: '' }),
  'tool-input-delta': (parts, chunk) => {
    const before = findTool(parts, chunk)?.inputText ?? ''
    return changeTool(parts, chunk, { inputText: before + textIn(chunk, 'inputTextDelta') })
  },
  'tool-input-available': (parts, { input, ...chunk }) =>
    changeTool(parts, chunk, { ...without, state: 'input-available', ...asJson({ input }) }),
  'tool-input-error': (parts, { input, errorText, ...chunk }) =>
    changeTool(parts, chunk, {
      ...without,
      state: 'output-error',
      errorText: String(errorText),
      ...asJson({ input }),
    }),
  'tool-approval-request': (parts, chunk) => {
    const descriptor = chunk['approvalDescriptor']
    const approval = {
      id: String(chunk['approvalId']),
      ...(typeof descriptor === 'object' && descriptor !== null && { descriptor }),
    }
    return changeTool(parts, chunk, { state: 'approval-requested', approval })
  },
  'tool-approval-response': (parts, chunk) => {
    const { approvalId, approved, reason } = chunk
    return parts.map((part) => {
      if (!isToolPart(part) || part.approval?.id !== approvalId) return part
      const answer = {
        approved: approved === true,
        ...(typeof reason === 'string' && { reason }),
      }
      return { ...part, state: 'approval-responded', approval: { ...part.approval, ...answer } }
    })
  },
  'tool-output-denied': (parts, chunk) => changeTool(parts, chunk, { state: 'output-denied' }),
  'tool-output-available': (parts, { output, preliminary, ...chunk }) =>
    changeTool(parts, chunk, {
      state: 'output-available',
      preliminary: preliminary === true,
      ...asJson({ output }),
    }),
  'tool-output-error': (parts, chunk) =>
    changeTool(parts, chunk, { state: 'output-error', errorText: String(chunk['errorText']) }),
}

/** The streamed text was parsed into a value. */
const without: Partial<ToolPart> = { inputText: '' }

/** The value came from JSON, so it is a JSON value. */
function asJson(values: { input?: unknown; output?: unknown }): Partial<ToolPart> {
  return values as Partial<ToolPart>
}

function textIn(chunk: Chunk, name: string): string {
  const text = chunk[name]
  return typeof text === 'string' ? text : ''
}

function startText(type: 'text' | 'reasoning'): Applier {
  return (parts, chunk) => {
    const part: TextPart = { type, text: '', state: 'streaming', streamId: chunk['id'] }
    return [...parts, part]
  }
}

function extendText(type: 'text' | 'reasoning'): Applier {
  return (parts, chunk) =>
    changeText(parts, { type, id: chunk['id'] }, ({ text }) => ({
      text: text + textIn(chunk, 'delta'),
    }))
}

function endText(type: 'text' | 'reasoning'): Applier {
  return (parts, chunk) => changeText(parts, { type, id: chunk['id'] }, () => ({ state: 'done' }))
}

function changeText(
  parts: Parts,
  { type, id }: { type: string; id: unknown },
  change: (part: TextPart) => Partial<TextPart>,
): Parts {
  const at = parts.findLastIndex(
    (part) => part.type === type && part['streamId'] === id && part['state'] === 'streaming',
  )
  const part = parts[at]
  return part === undefined || !isTextPart(part)
    ? parts
    : parts.with(at, { ...part, ...change(part) })
}

function pushAs(...names: readonly string[]): Applier {
  return (parts, chunk) => {
    const part: Part = { type: chunk.type }
    for (const name of names) if (chunk[name] !== undefined) part[name] = chunk[name]
    return [...parts, part]
  }
}

function findTool(parts: Parts, { toolCallId }: Chunk): ToolPart | undefined {
  return parts.filter(isToolPart).findLast((part) => part.toolCallId === toolCallId)
}

function changeTool(parts: Parts, chunk: Chunk, change: Partial<ToolPart>): Parts {
  const known = findTool(parts, chunk)
  const more: Partial<ToolPart> = {}
  if (typeof chunk['toolMetadata'] === 'object' && chunk['toolMetadata'] !== null) {
    more.toolMetadata = { ...known?.toolMetadata, ...chunk['toolMetadata'] }
  }
  if (chunk['providerExecuted'] === true) more.providerExecuted = true
  if (known !== undefined) return parts.with(parts.indexOf(known), { ...known, ...more, ...change })
  // Without the start of the call there is nothing to show.
  if (typeof chunk['toolName'] !== 'string') return parts
  return [...parts, { ...createTool(chunk), ...more, ...change }]
}

function createTool({ toolCallId, toolName, dynamic }: Chunk): ToolPart {
  const call = { toolCallId: String(toolCallId), state: 'input-streaming' as const }
  return dynamic === true
    ? { type: 'dynamic-tool', toolName: String(toolName), ...call }
    : { type: `tool-${String(toolName)}`, ...call }
}
