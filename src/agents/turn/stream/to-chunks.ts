import { isToolPart, toolNameOf, type Chunk, type Part, type ToolPart } from '../ui-parts.ts'

/** The chunks that produce a stored message: `applyChunk` makes the same parts from them. */
export function toChunks(parts: readonly Part[]): Chunk[] {
  const chunks = parts.flatMap((part, index): Chunk[] => {
    if (part.type === 'step-start') {
      return [...(index > 0 ? [{ type: 'finish-step' }] : []), { type: 'start-step' }]
    }
    if (part.type === 'text' || part.type === 'reasoning') return toTextChunks(part, index)
    if (isToolPart(part)) return toToolChunks(part)
    return wholeParts.has(part.type) || part.type.startsWith('data-') ? [part] : []
  })
  return chunks.length === 0 ? [] : [...chunks, { type: 'finish-step' }]
}

/** A part that comes in one piece, as stored. */
const wholeParts: ReadonlySet<string> = new Set([
  'file',
  'reasoning-file',
  'source-url',
  'source-document',
  'custom',
])

function toTextChunks({ type, id: given, text, providerMetadata }: Part, index: number): Chunk[] {
  const id = given ?? `${type}-${index}`
  const told = providerMetadata === undefined ? {} : { providerMetadata }
  return [
    { type: `${type}-start`, id },
    { type: `${type}-delta`, id, delta: text },
    { type: `${type}-end`, id, ...told },
  ]
}

function toToolChunks(part: ToolPart): Chunk[] {
  const { toolCallId, approval, input, state } = part
  const call = { toolCallId, toolName: toolNameOf(part), ...named(part, 'callProviderMetadata') }
  const dynamic = part.type === 'dynamic-tool' ? { dynamic: true } : {}
  const asked =
    input === undefined || state === 'input-streaming'
      ? { type: 'tool-input-start', ...call, ...dynamic }
      : { type: 'tool-input-available', ...call, ...dynamic, input }
  return [asked, ...(approval === undefined ? [] : toQuestion(part, approval)), ...toEnd(part)]
}

function toQuestion({ toolCallId }: ToolPart, approval: Required<ToolPart>['approval']): Chunk[] {
  const { id: approvalId, approved, reason, descriptor, requestReason } = approval
  return [
    {
      type: 'tool-approval-request',
      approvalId,
      toolCallId,
      ...(descriptor !== undefined && { approvalDescriptor: descriptor }),
      ...(requestReason !== undefined && { reason: requestReason }),
    },
    ...(approved === undefined
      ? []
      : [
          {
            type: 'tool-approval-response',
            approvalId,
            approved,
            ...(reason !== undefined && { reason }),
          },
        ]),
  ]
}

function toEnd(part: ToolPart): Chunk[] {
  const { toolCallId, state, output, errorText, preliminary } = part
  const call = { toolCallId, ...named(part, 'resultProviderMetadata') }
  if (state === 'output-denied') return [{ type: 'tool-output-denied', toolCallId }]
  if (state === 'output-error') return [{ type: 'tool-output-error', ...call, errorText }]
  if (state !== 'output-available') return []
  const early = preliminary === undefined ? {} : { preliminary }
  return [{ type: 'tool-output-available', ...call, output, ...early }]
}

function named(
  part: ToolPart,
  metadata: 'callProviderMetadata' | 'resultProviderMetadata',
): Record<string, unknown> {
  const { providerExecuted, title, toolMetadata } = part
  return {
    ...(providerExecuted !== undefined && { providerExecuted }),
    ...(title !== undefined && { title }),
    ...(toolMetadata !== undefined && { toolMetadata }),
    ...(part[metadata] !== undefined && { providerMetadata: part[metadata] }),
  }
}
