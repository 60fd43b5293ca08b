import type { JsonValue } from '../../../api/json.ts'

/** A part of an AI SDK message. Unknown types are skipped. */
export interface Part {
  type: string
  [key: string]: unknown
}

export interface TextPart extends Part {
  type: 'text' | 'reasoning'
  text: string
  state?: 'streaming' | 'done'
}

export interface FilePart extends Part {
  type: 'file'
  url: string
  mediaType: string
  filename?: string
}

export type ToolState =
  | 'input-streaming'
  | 'input-available'
  | 'approval-requested'
  | 'approval-responded'
  | 'output-available'
  | 'output-error'
  | 'output-denied'

/** A tool call. */
export interface ToolPart extends Part {
  toolCallId: string
  state: ToolState
  toolName?: string
  input?: JsonValue
  /** The arguments as streamed by the model. */
  inputText?: string
  output?: JsonValue
  errorText?: string
  preliminary?: boolean
  providerExecuted?: boolean
  toolMetadata?: { name?: string; effect?: string; callId?: string }
  approval?: {
    id: string
    approved?: boolean
    reason?: string
    descriptor?: { callId?: string; isEdited?: boolean }
  }
}

export interface MessageMetadata {
  status?: string
  /** Why the answer ended early. */
  finishReason?: string
  turnId?: string
  conversationId?: string
}

export interface Message {
  id: string
  role: 'user' | 'assistant' | 'system'
  parts: readonly Part[]
  metadata?: MessageMetadata
  createdAt?: string
}

export function isToolPart(part: Part): part is ToolPart {
  return part.type === 'dynamic-tool' || part.type.startsWith('tool-')
}

export function isTextPart(part: Part): part is TextPart {
  return (part.type === 'text' || part.type === 'reasoning') && typeof part['text'] === 'string'
}

export function isFilePart(part: Part): part is FilePart {
  return part.type === 'file' && typeof part['url'] === 'string'
}

/** The tool name used by the model. */
export function wireNameOf(part: ToolPart): string {
  return part.type === 'dynamic-tool' ? (part.toolName ?? '') : part.type.slice('tool-'.length)
}

/** The call behind a part, once it is known. */
export function callIdOf({ toolMetadata, approval }: ToolPart): string | undefined {
  return toolMetadata?.callId ?? approval?.descriptor?.callId
}
