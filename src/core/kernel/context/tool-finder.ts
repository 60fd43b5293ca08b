import type { JsonSchema, JsonValue } from '../json.ts'

/** A search result, with enough to choose by. */
export interface ToolHit {
  name: string
  title: string
  description: string
  effect: 'read' | 'write' | 'destructive'
}

/** Everything needed to call the tool. */
export interface ToolSheet extends ToolHit {
  /** The name under which a model can call it directly once it was found. */
  wireName: string
  inputSchema: JsonSchema
  outputSchema: JsonSchema | undefined
  examples: readonly { label: string; input: JsonValue }[]
  /** A call needs approval by a person. */
  needsApproval: boolean
}

/**
 * Searches the tools that the caller may use. Tools it finds stay available to the conversation.
 */
export interface ToolFinder {
  search(query: string, limit: number): Promise<{ found: ToolHit[]; of: number }>
  /**
   * `unknown` lists tools that the caller cannot see. Throws tool_not_found when no name is known.
   */
  describe(names: readonly string[]): Promise<{ sheets: ToolSheet[]; unknown: string[] }>
}

/** Records which tools each conversation has found. */
export interface FoundToolStore {
  /** Oldest first. */
  read(tenant: string, sessionId: string): Promise<readonly string[]>
  /** Drops the oldest beyond `foundAtMost`. */
  add(tenant: string, sessionId: string, tools: readonly string[]): Promise<void>
}

/** The most tools that are kept for a conversation. */
export const foundAtMost = 100
