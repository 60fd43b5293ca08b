import type { JsonSchema, JsonValue } from '../json.ts'

/** A tool that was found, as far as one needs to choose. */
export interface ToolHit {
  name: string
  title: string
  description: string
  effect: 'read' | 'write' | 'destructive'
}

/** All that one needs to call it. */
export interface ToolSheet extends ToolHit {
  /** By which a model can call it directly once it was found. */
  wireName: string
  inputSchema: JsonSchema
  outputSchema: JsonSchema | undefined
  examples: readonly { label: string; input: JsonValue }[]
  /** A call of it will wait for a person. */
  needsApproval: boolean
}

/** The tools that the caller may use, by search. What it finds stays found for its conversation. */
export interface ToolFinder {
  search(query: string, limit: number): Promise<{ found: ToolHit[]; of: number }>
  /** `unknown`: what the caller does not see. Throws tool_not_found where that is all of them. */
  describe(names: readonly string[]): Promise<{ sheets: ToolSheet[]; unknown: string[] }>
}

/** Which tools conversations have found. */
export interface FoundToolStore {
  /** Oldest first. */
  read(tenant: string, sessionId: string): Promise<readonly string[]>
  /** The oldest go where there are more than `foundAtMost`. */
  add(tenant: string, sessionId: string, tools: readonly string[]): Promise<void>
}

/** So many tools of a conversation are kept in its list. */
export const foundAtMost = 100
