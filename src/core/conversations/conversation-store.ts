import type { CallError, Principal } from '../kernel/call.ts'
import type { EventEntry } from '../events/event.ts'
import type { JsonValue } from '../kernel/json.ts'
import type { Page } from '../kernel/page.ts'
import type {
  Conversation,
  ConversationKind,
  ConversationMessage,
  ListedTurn,
  SettledTurnStatus,
  StoredMessage,
  Turn,
  TurnStatus,
  TurnUsage,
  WaitingPass,
} from './conversation.ts'

export interface ConversationQuery {
  principal?: Principal
  agent?: string
  kinds?: readonly ConversationKind[]
  after?: string
  limit: number
}

export interface TurnQuery {
  principal?: Principal
  agent?: string
  status?: TurnStatus
  conversationId?: string
  after?: string
  limit: number
}

/** A turn before it is stored. */
export type NewTurn = Pick<
  Turn,
  | 'id'
  | 'tenant'
  | 'conversationId'
  | 'agent'
  | 'caller'
  | 'bounds'
  | 'messageId'
  | 'parentCallId'
  | 'position'
>

export interface TurnBegin {
  turn: NewTurn
  /** The message that starts it, if any. */
  message?: ConversationMessage
  /** Files attached to the message: stored when the turn starts, and only then. */
  files?: readonly StoredFile[]
  /** Hides the messages from this position on; they stay stored. */
  replaceFrom?: number
  /** A title for a conversation without one. */
  title?: string
  told: EventEntry
}

export type BeginResult =
  | { kind: 'begun' }
  /** Another turn is running. */
  | { kind: 'busy'; turn: Turn }
  /** The conversation already has a message with this id. */
  | { kind: 'repeated' }
  | { kind: 'gone' }

/** Selects the turns to claim. */
export interface TurnClaim {
  leaseMs: number
  limit: number
  turnId?: string
  /** Tenants that already have enough turns here. */
  except?: readonly string[]
}

/** The current attempt of a turn: writes of an earlier attempt change nothing. */
export interface TurnLease {
  tenant: string
  turnId: string
  attempt: number
}

/** The outcome of a step. */
export interface TurnStep {
  step: number
  /** The current message of the turn. */
  message: ConversationMessage
  usage: TurnUsage
  model?: string
  wireNames?: Readonly<Record<string, string>>
  /** The pass that starts with it. */
  pass?: WaitingPass
  /** The event to record when it starts to wait. */
  told?: EventEntry
}

export interface TurnEnd {
  status: SettledTurnStatus
  error?: CallError
  told: EventEntry
}

/** A summary that replaces everything before it. */
export interface Compaction {
  /** Messages up to this position are summarised. */
  upTo: number
  text: string
}

/** A file attached to a message. */
export interface StoredFile {
  id: string
  mediaType: string
  name?: string
  bytes: Uint8Array
}

/** One call's changes to a conversation's state. */
export interface StatePatch {
  set: Readonly<Record<string, JsonValue>>
  remove: readonly string[]
  /** The values that the call had read, by key, as JSON text: to detect overwritten changes. */
  seen: Readonly<Record<string, string | undefined>>
  maxBytes: number
}

/** Conversations, their turns, and the chunks streamed while a turn runs. */
export interface ConversationStore {
  /** Finds the conversation with this client id, or creates one. */
  open(
    conversation: Pick<Conversation, 'id' | 'tenant' | 'agent' | 'principal' | 'kind' | 'clientId'>,
  ): Promise<Conversation>
  find(tenant: string, id: string): Promise<Conversation | undefined>
  findByClient(
    tenant: string,
    of: { agent: string; principal: Principal; clientId: string },
  ): Promise<Conversation | undefined>
  /** Newest first. */
  list(tenant: string, query: ConversationQuery): Promise<Page<Conversation>>
  /** Removes it with everything in it. False when there is none, or a turn is running. */
  remove(tenant: string, id: string, told: EventEntry): Promise<boolean>
  /** In order, after that position; without hidden messages. */
  listMessages(
    tenant: string,
    id: string,
    query: { after?: number; limit: number },
  ): Promise<StoredMessage[]>
  findMessage(tenant: string, id: string, messageId: string): Promise<StoredMessage | undefined>
  findCompaction(tenant: string, id: string): Promise<Compaction | undefined>
  saveCompaction(tenant: string, id: string, compaction: Compaction): Promise<void>

  beginTurn(begin: TurnBegin): Promise<BeginResult>
  findTurn(tenant: string, id: string): Promise<Turn | undefined>
  /** Newest first. */
  listTurns(tenant: string, query: TurnQuery): Promise<Page<ListedTurn>>
  /** The turns that this call started, in order. */
  listChildren(tenant: string, callId: string): Promise<Turn[]>
  /**
   * Claims turns to work on: new and unowned, or left by a dead node. With an id, only that one.
   */
  claimTurns(query: TurnClaim): Promise<Turn[]>
  /** waiting → running, if it waits for this group; the pass is kept until the next step. */
  resumeTurn(
    tenant: string,
    turnId: string,
    from: { groupId: string; leaseMs: number },
  ): Promise<Turn | undefined>
  keepTurn(lease: TurnLease, leaseMs: number): Promise<{ cancelRequested: boolean } | undefined>
  saveStep(lease: TurnLease, step: TurnStep): Promise<boolean>
  /** running → waiting. The lease continues until `seal` reports that its group is sealed. */
  waitTurn(lease: TurnLease, step: TurnStep, waiting: WaitingPass): Promise<boolean>
  /** The group that it waits for can settle now, so the lease is no longer needed. */
  releaseTurn(lease: TurnLease): Promise<boolean>
  /** Ends the lease: the next node to look claims the turn again, with its usage so far. */
  yieldTurn(lease: TurnLease, usage: TurnUsage): Promise<void>
  /** The only way into a settled status; frees the conversation. */
  endTurn(lease: TurnLease, step: TurnStep, end: TurnEnd): Promise<boolean>
  requestCancel(tenant: string, turnId: string): Promise<void>
  /** Waiting turns that were cancelled, or are past their deadline: set to running, to be ended. */
  claimStopped(query: { leaseMs: number; limit: number }): Promise<Turn[]>
  /**
   * Settled turns whose call may not have been updated; each is returned at most once per lease.
   */
  claimReports(query: { leaseMs: number; limit: number; callId?: string }): Promise<Turn[]>
  markReported(tenant: string, callId: string): Promise<void>

  appendChunks(lease: TurnLease, from: number, chunks: readonly JsonValue[]): Promise<boolean>
  /** The stored chunks from that number on. */
  readChunks(tenant: string, turnId: string, from: number): Promise<JsonValue[]>
  /** For turns that settled before that time. Returns the number of rows removed. */
  removeChunks(beforeMs: number, limit: number): Promise<number>

  readState(tenant: string, id: string): Promise<Readonly<Record<string, JsonValue>>>
  /**
   * Writes key by key, so that concurrent calls keep each other's changes; returns the overwritten
   * keys.
   */
  patchState(tenant: string, id: string, patch: StatePatch): Promise<string[]>

  readFile(tenant: string, conversationId: string, id: string): Promise<StoredFile | undefined>
  listFiles(
    tenant: string,
    conversationId: string,
  ): Promise<(Omit<StoredFile, 'bytes'> & { size: number })[]>
}
