import type { Approval } from '../approvals/approval.ts'
import type { CallError, Caller } from '../kernel/call.ts'
import type { JsonValue } from '../kernel/json.ts'
import type { Page } from '../kernel/page.ts'
import type {
  Conversation,
  ConversationKind,
  StoredMessage,
  TurnStatus,
  TurnUsage,
} from './conversation.ts'

/**
 * The request of a chat client, as the AI SDK sends it. Only a person's own messages in it are
 * trusted.
 */
export interface ChatRequest {
  /** The client's name for the conversation, or the id it received from the server. */
  id?: string | undefined
  messages?: readonly unknown[] | undefined
  message?: unknown
  trigger?: string | undefined
  messageId?: string | undefined
  /** Answers to pending approvals, for clients that do not keep messages. */
  approvals?: readonly ChatDecision[] | undefined
}

export interface ChatDecision {
  id: string
  approved: boolean
  reason?: string | undefined
  /** Run the call with this input instead. */
  input?: JsonValue | undefined
}

/** A turn as a stream. */
export interface TurnStream {
  conversationId: string
  turnId: string
  /** Lists of chunks of the UI message stream; an empty one as a keep-alive. */
  chunks: AsyncIterable<readonly JsonValue[]>
}

/** A conversation with its pending approvals. */
export interface ConversationDetail extends Conversation {
  status: 'idle' | TurnStatus
  items: readonly StoredMessage[]
  /** The start of the next page of messages. */
  next?: number
  waiting: readonly Approval[]
}

/** An agent that can chat. */
export interface ChatAgent {
  slug: string
  name?: string
  description?: string
  model: string
  /**
   * Why it cannot answer now, and the fix: its model has no key, or its definition can't be read.
   */
  problem?: CallError
}

/** A turn as its requester sees it. */
export interface Run {
  id: string
  agent: string
  conversationId: string
  /** The first words of its conversation; in lists only. */
  title?: string
  status: TurnStatus
  steps: number
  model?: string
  /** The text of the answer, once available. */
  output?: string
  /** Why the answer ended, if not normally: `length`, `content-filter` or `other`. */
  finishReason?: string
  error?: CallError
  usage: TurnUsage
  /** The approvals it waits for. */
  waiting?: readonly Pick<Approval, 'id' | 'callId' | 'tool' | 'input' | 'reasons' | 'expiresAt'>[]
  parentCallId?: string
  createdAt: string
  settledAt?: string
}

export interface AgentRunRequest {
  prompt: string
  /** Continue this conversation instead of starting a new one. */
  conversationId?: string | undefined
  maxSteps?: number | undefined
  timeoutMs?: number | undefined
  /** The caller's own name for the run: repeating the request with it returns the same run. */
  idempotencyKey?: string | undefined
}

export interface RunQuery {
  agent?: string | undefined
  status?: TurnStatus | undefined
  conversationId?: string | undefined
  after?: string | undefined
  limit: number
}

/** A file of a conversation with its content. */
export interface ConversationFile {
  mediaType: string
  name?: string
  bytes: Uint8Array
}

/** Chats with an agent, with streamed answers. */
export interface ChatDoor {
  /** Sends a message, or answers pending approvals, and streams the result. */
  chat(
    caller: Caller,
    request: ChatRequest & { agent: string },
    signal?: AbortSignal,
  ): Promise<TurnStream>
  /** The running turn from its start, followed by new chunks; undefined when nothing runs. */
  resumeChat(
    caller: Caller,
    of: { agent: string; conversationId: string },
    signal?: AbortSignal,
  ): Promise<TurnStream | undefined>
}

/** Conversations and runs. Callers check permissions; conversations of others are not found. */
export interface ConversationApi extends ChatDoor {
  /** Sorted by name; for a key bound to an agent, only that agent. */
  listChatAgents(
    caller: Caller,
    query: { after?: string | undefined; limit: number },
  ): Promise<Page<ChatAgent>>
  listConversations(
    caller: Caller,
    query: {
      agent?: string | undefined
      kind?: ConversationKind | undefined
      /** Only those started by the caller. */
      isOwn?: boolean | undefined
      after?: string | undefined
      limit: number
    },
  ): Promise<Page<Conversation>>
  findConversation(
    caller: Caller,
    id: string,
    query: { after?: number | undefined; limit: number },
  ): Promise<ConversationDetail>
  deleteConversation(caller: Caller, id: string): Promise<void>
  readConversationFile(caller: Caller, id: string, fileId: string): Promise<ConversationFile>
  /** Gives a task to an agent; resolves once it is stored. */
  startRun(caller: Caller, agent: string, request: AgentRunRequest): Promise<Run>
  findRun(
    caller: Caller,
    id: string,
    options?: { waitMs?: number; signal?: AbortSignal },
  ): Promise<Run>
  listRuns(caller: Caller, query: RunQuery): Promise<Page<Run>>
  /** Cancels it and its pending calls; already_settled if it has ended. */
  cancelRun(caller: Caller, id: string): Promise<Run>
}
