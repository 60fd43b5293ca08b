import type { JsonValue } from '../../core/kernel/json.ts'
import { isRecord } from '../../core/kernel/json/json-type.ts'

/** A part of a message, as the AI SDK's user interfaces hold it. */
export type Part = { type: string; [key: string]: unknown }

/** A part that stands for one call of a tool. */
export interface ToolPart extends Part {
  toolCallId: string
  state:
    | 'input-streaming'
    | 'input-available'
    | 'approval-requested'
    | 'approval-responded'
    | 'output-available'
    | 'output-error'
    | 'output-denied'
  input?: unknown
  output?: unknown
  errorText?: string
  providerExecuted?: boolean
  toolName?: string
  approval?: {
    id: string
    approved?: boolean
    reason?: string
    descriptor?: unknown
    requestReason?: unknown
  }
}

/** One chunk of a UI message stream. */
export type Chunk = { type: string; [key: string]: unknown }

/** The parts of a stored message, in a list of their own. */
export function readParts(message: { parts: readonly JsonValue[] } | undefined): Part[] {
  const parts: readonly unknown[] = message?.parts ?? []
  return parts.filter(isPart)
}

function isPart(value: unknown): value is Part {
  return isRecord(value) && typeof value['type'] === 'string'
}

export function isToolPart(part: Part): part is ToolPart {
  return part.type === 'dynamic-tool' || part.type.startsWith('tool-')
}

/** The wire name of the tool that a part calls. */
export function toolNameOf(part: ToolPart): string {
  return part.type === 'dynamic-tool' ? (part.toolName ?? '') : part.type.slice('tool-'.length)
}

/** It has a result of any kind. */
export function isAnswered({ state, preliminary }: ToolPart): boolean {
  return state.startsWith('output-') && preliminary !== true
}

/** A call that a provider does not run itself, and that has no result yet. */
export function openCalls(parts: readonly Part[]): ToolPart[] {
  return parts
    .filter(isToolPart)
    .filter((part) => part.providerExecuted !== true && !isAnswered(part))
}

/** The text of a message, without what was thought or done. */
export function textOf(parts: readonly Part[]): string {
  return parts
    .flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []))
    .join('\n')
}

/** Values that only JavaScript knows are dropped: sent as stored. */
export function toJson(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value ?? null)) as JsonValue
}
