import type { CallError, Principal } from '../kernel/call.ts'
import type { ToldEvent } from '../events/event.ts'
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
  /** What is said with it, if anything is. */
  message?: ConversationMessage
  /** What came with it: kept where the turn begins, and only there. */
  files?: readonly StoredFile[]
  /** Messages from this place on are set aside: they stay stored and are shown no more. */
  replaceFrom?: number
  /** Of the conversation, where it has none. */
  title?: string
  told: ToldEvent
}

export type BeginResult =
  | { kind: 'begun' }
  /** Another turn is under way. */
  | { kind: 'busy'; turn: Turn }
  /** A message of this id is in the conversation already. */
  | { kind: 'repeated' }
  | { kind: 'gone' }

/** Which turns somebody takes up. */
export interface TurnClaim {
  leaseMs: number
  limit: number
  turnId?: string
  /** Tenants that have enough of them here already. */
  except?: readonly string[]
}

/** Who works on a turn: every write of an attempt that is over changes nothing. */
export interface TurnLease {
  tenant: string
  turnId: string
  attempt: number
}

/** What a step leaves behind. */
export interface TurnStep {
  step: number
  /** The turn's message as it stands. */
  message: ConversationMessage
  usage: TurnUsage
  model?: string
  wireNames?: Readonly<Record<string, string>>
  /** The pass that begins with it. */
  pass?: WaitingPass
  /** What is told of it, where it begins to wait. */
  told?: ToldEvent
}

export interface TurnEnd {
  status: SettledTurnStatus
  error?: CallError
  told: ToldEvent
}

/** A summary that stands for everything before it. */
export interface Compaction {
  /** Messages up to this place are summed up. */
  upTo: number
  text: string
}

/** A file that was said with a message. */
export interface StoredFile {
  id: string
  mediaType: string
  name?: string
  bytes: Uint8Array
}

/** Changes of a conversation's state by one call. */
export interface StatePatch {
  set: Readonly<Record<string, JsonValue>>
  remove: readonly string[]
  /** The values that the call had read, by key, as JSON text: to tell who wrote over whom. */
  seen: Readonly<Record<string, string | undefined>>
  maxBytes: number
}

/** Conversations, their turns, and what is streamed of them meanwhile. */
export interface ConversationStore {
  /** The one of this client id, or a new one. */
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
  /** With everything in it. False when there was none, or a turn is under way. */
  remove(tenant: string, id: string, told: ToldEvent): Promise<boolean>
  /** In order, from after that place; those that were set aside are left out. */
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
  /** Turns to work on: begun and nobody's, or left by a node that is gone. One, where it is named. */
  claimTurns(query: TurnClaim): Promise<Turn[]>
  /** waiting → running, where it waits for this group; what it waited for stays with it until the next step. */
  resumeTurn(
    tenant: string,
    turnId: string,
    from: { groupId: string; leaseMs: number },
  ): Promise<Turn | undefined>
  keepTurn(lease: TurnLease, leaseMs: number): Promise<{ cancelRequested: boolean } | undefined>
  saveStep(lease: TurnLease, step: TurnStep): Promise<boolean>
  /** running → waiting. The lease goes on until `seal` says that its group is sealed. */
  waitTurn(lease: TurnLease, step: TurnStep, waiting: WaitingPass): Promise<boolean>
  /** The group that it waits for can settle now: nobody needs to look after it any more. */
  releaseTurn(lease: TurnLease): Promise<boolean>
  /** The lease is over: whoever looks next takes it up again, with what it has used so far. */
  yieldTurn(lease: TurnLease, usage: TurnUsage): Promise<void>
  /** The only way into a settled status; the conversation is free again. */
  endTurn(lease: TurnLease, step: TurnStep, end: TurnEnd): Promise<boolean>
  requestCancel(tenant: string, turnId: string): Promise<void>
  /** Waiting turns that somebody asked to cancel, or that are past their deadline: running, to be ended. */
  claimStopped(query: { leaseMs: number; limit: number }): Promise<Turn[]>
  /** Turns that have settled, and whose call may not know it yet; each at most once in a while. */
  claimReports(query: { leaseMs: number; limit: number; callId?: string }): Promise<Turn[]>
  markReported(tenant: string, callId: string): Promise<void>

  appendChunks(lease: TurnLease, from: number, chunks: readonly JsonValue[]): Promise<boolean>
  /** Chunks from that number on, as far as they are stored. */
  readChunks(tenant: string, turnId: string, from: number): Promise<JsonValue[]>
  /** Of turns that have settled before that time. Returns how many rows went. */
  removeChunks(beforeMs: number, limit: number): Promise<number>

  readState(tenant: string, id: string): Promise<Readonly<Record<string, JsonValue>>>
  /** Key by key, so that calls at the same time keep each other's; returns the keys it wrote over. */
  patchState(tenant: string, id: string, patch: StatePatch): Promise<string[]>

  readFile(tenant: string, conversationId: string, id: string): Promise<StoredFile | undefined>
  listFiles(
    tenant: string,
    conversationId: string,
  ): Promise<(Omit<StoredFile, 'bytes'> & { size: number })[]>
}
