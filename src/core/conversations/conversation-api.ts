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

/** What a chat client sends: the AI SDK's own request. Only what a person says in it is believed. */
export interface ChatRequest {
  /** The client's name for the conversation, or the id that it was given here. */
  id?: string | undefined
  messages?: readonly unknown[] | undefined
  message?: unknown
  trigger?: string | undefined
  messageId?: string | undefined
  /** Answers to what waits, for clients that do not keep messages. */
  approvals?: readonly ApprovalAnswer[] | undefined
}

export interface ApprovalAnswer {
  id: string
  approved: boolean
  reason?: string | undefined
  /** Run the call with this instead. */
  input?: JsonValue | undefined
}

/** A turn as it is told. */
export interface TurnStream {
  conversationId: string
  turnId: string
  /** Lists of chunks of the UI message stream; an empty one after a while of silence. */
  chunks: AsyncIterable<readonly JsonValue[]>
}

/** A conversation with what waits for people in it. */
export interface ConversationDetail extends Conversation {
  status: 'idle' | TurnStatus
  items: readonly StoredMessage[]
  /** Where the next page of messages begins. */
  next?: number
  waiting: readonly Approval[]
}

/** An agent that can be talked to. */
export interface ChatAgent {
  slug: string
  name?: string
  description?: string
  model: string
  /** Why it could not answer now, and the way out: its model has no key, or it can't be read. */
  problem?: CallError
}

/** One turn as whoever asked for it sees it. */
export interface Run {
  id: string
  agent: string
  conversationId: string
  /** The first words of its conversation; only lists have it. */
  title?: string
  status: TurnStatus
  steps: number
  model?: string
  /** The text of the answer, once there is one. */
  output?: string
  /** Why the answer ended, where it did not by itself: `length`, `content-filter` or `other`. */
  finishReason?: string
  error?: CallError
  usage: TurnUsage
  /** What it waits for a person about. */
  waiting?: readonly Pick<Approval, 'id' | 'callId' | 'tool' | 'input' | 'reasons' | 'expiresAt'>[]
  parentCallId?: string
  createdAt: string
  settledAt?: string
}

export interface RunRequest {
  prompt: string
  /** Go on with this conversation instead of a new one. */
  conversationId?: string | undefined
  maxSteps?: number | undefined
  timeoutMs?: number | undefined
  /** The caller's own name for it: asking again with it gives the same run. */
  idempotencyKey?: string | undefined
}

export interface RunQuery {
  agent?: string | undefined
  status?: TurnStatus | undefined
  conversationId?: string | undefined
  after?: string | undefined
  limit: number
}

/** A file of a conversation, whole. */
export interface ConversationFile {
  mediaType: string
  name?: string
  bytes: Uint8Array
}

/** Talking to an agent: answers that go on while they are read. */
export interface ChatDoor {
  /** Says something, or answers what waits, and gives what comes of it as it comes. */
  chat(
    caller: Caller,
    request: ChatRequest & { agent: string },
    signal?: AbortSignal,
  ): Promise<TurnStream>
  /** The turn under way from its beginning, and then what comes; undefined when nothing runs. */
  resumeChat(
    caller: Caller,
    of: { agent: string; conversationId: string },
    signal?: AbortSignal,
  ): Promise<TurnStream | undefined>
}

/** Conversations and runs. Permissions are checked by those who call it; what is not one's own is not found. */
export interface ConversationApi extends ChatDoor {
  /** By name; of a key that is bound to an agent, that one alone. */
  listChatAgents(
    caller: Caller,
    query: { after?: string | undefined; limit: number },
  ): Promise<Page<ChatAgent>>
  listConversations(
    caller: Caller,
    query: {
      agent?: string | undefined
      kind?: ConversationKind | undefined
      /** Only those that the caller has begun. */
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
  /** Sets an agent a task; answers once it is stored. */
  startRun(caller: Caller, agent: string, request: RunRequest): Promise<Run>
  findRun(
    caller: Caller,
    id: string,
    options?: { waitMs?: number; signal?: AbortSignal },
  ): Promise<Run>
  listRuns(caller: Caller, query: RunQuery): Promise<Page<Run>>
  /** Stops it, with what it waits for; already_settled when it is too late. */
  cancelRun(caller: Caller, id: string): Promise<Run>
}
