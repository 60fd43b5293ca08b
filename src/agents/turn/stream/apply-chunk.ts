import { isToolPart, type Chunk, type Part, type ToolPart } from '../ui-parts.ts'

/**
 * Applies a chunk to a message as the SDK's own reader does, without copying the whole message for
 * every few letters of text. Chunks without content are skipped.
 */
export function applyChunk(parts: Part[], chunk: Chunk): void {
  appliers[chunk.type]?.(parts, chunk)
  if (chunk.type.startsWith('data-') && chunk['transient'] !== true) applyData(parts, chunk)
}

type Applier = (parts: Part[], chunk: Chunk) => void

const appliers: Readonly<Record<string, Applier>> = {
  'text-start': startText('text'),
  'text-delta': extendText('text'),
  'text-end': endText('text'),
  'reasoning-start': startText('reasoning'),
  'reasoning-delta': extendText('reasoning'),
  'reasoning-end': endText('reasoning'),
  file: pushAs('mediaType', 'url'),
  'reasoning-file': pushAs('mediaType', 'url'),
  'source-url': pushAs('sourceId', 'url', 'title'),
  'source-document': pushAs('sourceId', 'mediaType', 'title', 'filename'),
  custom: pushAs('kind'),
  'start-step': (parts) => void parts.push({ type: 'step-start' }),
  'reset-step': (parts) => void parts.splice(parts.length - currentStep(parts).length),
  'tool-input-start': (parts, chunk) => updateTool(parts, chunk, { state: 'input-streaming' }),
  'tool-input-available': (parts, chunk) =>
    updateTool(parts, chunk, { state: 'input-available', input: chunk['input'] }),
  'tool-input-error': (parts, chunk) => {
    const { input, errorText } = chunk
    updateTool(parts, chunk, { state: 'output-error', input, errorText: String(errorText) })
  },
  'tool-approval-request': (parts, chunk) => {
    const part = findTool(parts, chunk['toolCallId'])
    if (part === undefined) return
    part.state = 'approval-requested'
    const { approvalId, approvalDescriptor, reason } = chunk
    part.approval = {
      id: String(approvalId),
      ...(approvalDescriptor != null && { descriptor: approvalDescriptor }),
      ...(reason != null && { requestReason: reason }),
    }
  },
  'tool-approval-response': (parts, chunk) => {
    const part = parts
      .filter(isToolPart)
      .find(({ approval }) => approval?.id === chunk['approvalId'])
    if (part === undefined) return
    part.state = 'approval-responded'
    const { approved, reason } = chunk
    const answer = {
      approved: approved === true,
      ...(typeof reason === 'string' && { reason }),
    }
    part.approval = { id: String(chunk['approvalId']), ...part.approval, ...answer }
  },
  'tool-output-denied': (parts, chunk) => {
    const part = findTool(parts, chunk['toolCallId'])
    if (part !== undefined) part.state = 'output-denied'
  },
  'tool-output-available': (parts, chunk) => {
    const { output, preliminary } = chunk
    updateTool(parts, chunk, { state: 'output-available', output, preliminary })
  },
  'tool-output-error': (parts, chunk) =>
    updateTool(parts, chunk, { state: 'output-error', errorText: String(chunk['errorText']) }),
}

/** Parts behind the last beginning of a step. */
function currentStep(parts: readonly Part[]): readonly Part[] {
  return parts.slice(parts.findLastIndex(({ type }) => type === 'step-start') + 1)
}

function startText(type: string): Applier {
  return (parts, chunk) => {
    const named = type === 'reasoning' ? { id: chunk['id'] } : {}
    const part: Part = { type, ...named, text: '', state: 'streaming' }
    addMetadata(part, chunk)
    Object.defineProperty(part, streamId, { value: chunk['id'], enumerable: false })
    parts.push(part)
  }
}

/** Which stream of text a part is made of; not a part of what is stored. */
const streamId = Symbol('stream id')

function findText(parts: readonly Part[], type: string, id: unknown): Part | undefined {
  return parts.findLast(
    (part) =>
      part.type === type &&
      part['state'] === 'streaming' &&
      (part as { [streamId]?: unknown })[streamId] === id,
  )
}

function extendText(type: string): Applier {
  return (parts, chunk) => {
    const part = findText(parts, type, chunk['id'])
    if (part === undefined) return
    part['text'] = `${String(part['text'])}${String(chunk['delta'])}`
    addMetadata(part, chunk)
  }
}

function endText(type: string): Applier {
  return (parts, chunk) => {
    const part = findText(parts, type, chunk['id'])
    if (part === undefined) return
    part['state'] = 'done'
    addMetadata(part, chunk)
  }
}

function addMetadata(part: Part, { providerMetadata }: Chunk): void {
  if (providerMetadata != null) part['providerMetadata'] = providerMetadata
}

function pushAs(...names: readonly string[]): Applier {
  return (parts, chunk) => {
    const part: Part = { type: chunk.type }
    for (const name of names) if (chunk[name] !== undefined) part[name] = chunk[name]
    addMetadata(part, chunk)
    parts.push(part)
  }
}

function findTool(parts: readonly Part[], toolCallId: unknown): ToolPart | undefined {
  return parts.filter(isToolPart).findLast((part) => part.toolCallId === toolCallId)
}

function updateTool(parts: Part[], chunk: Chunk, changes: Partial<ToolPart>): void {
  const known = findTool(parts, chunk['toolCallId'])
  const part = known ?? createTool(chunk)
  if (known === undefined) parts.push(part)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) delete part[name]
    else part[name] = value
  }
  for (const name of ['providerExecuted', 'title', 'toolMetadata'] as const) {
    if (chunk[name] != null) (part as Part)[name] = chunk[name]
  }
  if (chunk['providerMetadata'] == null) return
  const isResult = part.state.startsWith('output-')
  part[isResult ? 'resultProviderMetadata' : 'callProviderMetadata'] = chunk['providerMetadata']
}

function createTool({ toolCallId, toolName, dynamic }: Chunk): ToolPart {
  const call = { toolCallId: String(toolCallId), state: 'input-streaming' as const }
  return dynamic === true
    ? { type: 'dynamic-tool', toolName: String(toolName), ...call }
    : { type: `tool-${String(toolName)}`, ...call }
}

function applyData(parts: Part[], { type, id, data }: Chunk): void {
  const known =
    id == null ? undefined : parts.find((part) => part.type === type && part['id'] === id)
  if (known !== undefined) known['data'] = data
  else parts.push({ type, ...(id != null && { id }), data })
}
