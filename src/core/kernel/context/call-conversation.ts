import type { JsonSchema, JsonValue } from '../json.ts'

/** A task that a call gives to an agent. */
export interface AgentTask {
  prompt: string
  /** An agent other than the caller's. */
  agent?: string
  maxSteps?: number
  maxTokens?: number
}

/**
 * Starts agents. For tools with `execution: 'external'`: the call ends when all of them have ended.
 */
export interface AgentStarter {
  /** Starts all or none; idempotent, so it can be repeated after a crash. */
  start(tasks: readonly AgentTask[]): Promise<void>
}

/**
 * State that tools keep in the conversation: JSON, 64 KB in all. Changes are written when the call
 * succeeds, key by key, so that concurrent calls keep each other's changes. If another call changed
 * the same key, the last write wins and its call gets a warning.
 */
export interface StateKeeper {
  get(key: string): Promise<JsonValue | undefined>
  keys(): Promise<string[]>
  set(key: string, value: JsonValue): Promise<void>
  delete(key: string): Promise<void>
}

/** A file attached to the conversation. */
export interface Attachment {
  id: string
  mediaType: string
  name?: string
  size: number
}

export interface AttachmentReader {
  list(): Promise<Attachment[]>
  read(id: string): Promise<Uint8Array>
}

/** The model of the calling agent. Its cost counts toward the call. */
export interface ModelAccess {
  generate(request: {
    prompt: string
    instructions?: string
    maxOutputTokens?: number
  }): Promise<{ text: string; model: string }>
}

/** A question to a model, which answers it without tools. */
export interface ModelQuestion {
  /** The user's message. */
  prompt: string
  /** The author's instructions. Never put a caller's input here. */
  instructions?: string
  /** Default: that of `agent`, else that of the calling agent, else that of the configuration. */
  model?: string | undefined
  /** The agent whose model and instructions are used. */
  agent?: string | undefined
  maxOutputTokens?: number | undefined
  /** Providers that can make the answer JSON of this schema do. Check it all the same. */
  outputSchema?: JsonSchema | undefined
  /** Earlier answers to the same question, and their problems. */
  tries?: readonly { answer: string; remark: string }[]
  /** Called with each piece of the answer as it arrives. */
  onText?(text: string): void
}

/** Asks models. Cost and usage count toward the call and its budgets. */
export interface ModelQuestions {
  ask(question: ModelQuestion): Promise<{ text: string; model: string }>
}

/** The conversation that a call is made in, as far as the call can use it. */
export interface CallConversation {
  readonly agents: AgentStarter
  /** Absent when the call is not part of a conversation. */
  readonly state: StateKeeper | undefined
  readonly attachments: AttachmentReader
  /** Absent when the caller is not an agent. */
  readonly model: ModelAccess | undefined
  readonly models: ModelQuestions
  /** Writes the changes. Returns warnings. */
  flush(): Promise<string[]>
}
