import type { JsonValue } from '../json.ts'

/** A task for an agent that a call sends out. */
export interface AgentTask {
  prompt: string
  /** Another agent than the caller's. */
  agent?: string
  maxSteps?: number
  maxTokens?: number
}

/** Sending out agents. Of tools with `execution: 'external'`: the call ends when all of them have. */
export interface AgentDesk {
  /** All or none begin; beginning them again after a crash does no harm. */
  start(tasks: readonly AgentTask[]): Promise<void>
}

/**
 * What tools keep in the conversation that they are called in: JSON, 64 KB in all. Changes are
 * written when the call has done well, key by key, so that calls at the same time keep each other's.
 * Where one has changed the same key meanwhile, the later one wins, and its call says so in a warning.
 */
export interface StateKeeper {
  get(key: string): Promise<JsonValue | undefined>
  keys(): Promise<string[]>
  set(key: string, value: JsonValue): Promise<void>
  delete(key: string): Promise<void>
}

/** A file that was said in the conversation. */
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

/** The model of the calling agent. What it costs counts as the call's. */
export interface ModelAccess {
  generate(request: {
    prompt: string
    instructions?: string
    maxOutputTokens?: number
  }): Promise<{ text: string; model: string }>
}

/** What a call that is made in a conversation has of it. */
export interface CallConversation {
  readonly agents: AgentDesk
  /** Absent where the call is in no conversation. */
  readonly state: StateKeeper | undefined
  readonly attachments: AttachmentReader
  /** Absent where no agent calls. */
  readonly model: ModelAccess | undefined
  /** Writes what was set. Returns what there is to say about it. */
  flush(): Promise<string[]>
}
