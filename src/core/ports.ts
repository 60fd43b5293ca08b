import type {
  CallRecord,
  CallError,
  Decision,
  Principal,
  SettledStatus,
  ArtifactReference,
  CallStatus,
  WaitingFor,
} from './call.ts'
import type {
  Approval,
  ApprovalOutbox,
  ApprovalQuery,
  ApprovalRule,
  ApprovalRuleBook,
  ApprovalStart,
  DecisionResult,
} from './approvals/approval.ts'
import type { AuditLog } from './audit/audit-log.ts'
import type { ArtifactContent, ArtifactPage } from './artifact.ts'
import type { SessionFlagStore } from './flow/session-flags.ts'
import type { GatewayStore } from './gateway/gateway-store.ts'
import type { GroupRecord } from './async/group.ts'
import type { ConnectionStore } from './gateway/connection-store.ts'
import type { ToolError } from './errors.ts'
import type { CribEvent, EventType, NewEvent } from './events/event.ts'
import type { LimitStore } from './limits/limit-store.ts'
import type { Page } from './page.ts'
import type { CatalogueStore } from './rules/catalogue.ts'
import type { MemberStore } from './people/member.ts'
import type { RuleStore } from './rules/rule-store.ts'
import type { TenantStore } from './rules/tenant.ts'
import type { FoundToolStore } from './search/tool-finder.ts'
import type { ScheduleStore } from './schedules/schedule-store.ts'
import type { SignInStore } from './sign-in/sign-in-store.ts'
import type { Keyring } from './secrets/keyring.ts'
import type { SkillStore } from './skills/skill-store.ts'
import type { ConversationStore } from './conversations/conversation-store.ts'
import type { JsonValue, Runtime } from './tool.ts'
import type { UsageStore } from './usage/usage.ts'
import type { KeyStore, SecretVault } from './vault-ports.ts'
import type { Job, JobTable, SqlRunner, ToolDirectory, WorkOrder, WorkQueue } from './work-ports.ts'

/** The first record of a call, written with its first events in one transaction. */
export interface CallStart {
  callId: string
  tenant: string
  tool: string
  status: CallStatus
  input: JsonValue
  agent?: string
  principal: Principal
  runtime: Runtime
  sessionId?: string
  parentId?: string
  attempt: number
  /** `background` calls that are reads or idempotent are run again after a crash; see recovery. */
  execution: 'inline' | 'background' | 'external'
  /** What the caller held, kept for calls that run after their answer. */
  permissions?: readonly string[]
  /** The agents above the caller's, nearest first, kept for the same reason. */
  parents?: readonly string[]
  /** The skill that was in force: what it allows is all that may be used. */
  skill?: string
  /** Who said what is to be done, where the principal acts for somebody. */
  onBehalfOf?: Principal
  /** May it be run again when its outcome is unknown? (read or idempotent) */
  isRepeatable: boolean
  timeoutMs: number
  decision?: Decision
  requestedAt: number
  startedAt?: number
  idempotencyKey?: string
  /** Queued calls: how they are to be run. Written in the same transaction. */
  work?: WorkOrder
  /** Calls that begin as waiting: for whom. */
  waitingFor?: WaitingFor
  /** When a call that waits, or is queued, is given up. */
  deadlineAt?: number
  /** The group whose continuation waits for this call. */
  groupId?: string
  /** Nested calls: the how-manieth its parent made. */
  position?: number
  /**
   * The input as it came, where the recorded one was redacted. An idempotency key is compared by a
   * keyed digest of it; of calls that run after their answer it is kept sealed, to run them with.
   */
  rawInput?: JsonValue
  /** What somebody has to decide before it runs; written in the same transaction. */
  approval?: ApprovalStart
  events: readonly NewEvent[]
}

/** How a call ended, written with its last events. */
export interface Settlement {
  callId: string
  tenant: string
  status: SettledStatus
  output?: JsonValue
  error?: CallError
  artifact?: ArtifactReference
  warnings?: readonly string[]
  settledAt: number
  /** Only settle while the call is still in this attempt: fences a worker that was thought dead. */
  attempt?: number
  /** Only settle a call in this status: fences a decision that came too late. */
  from?: CallStatus
  /** Only settle a call that was started with this completion token (its digest). */
  tokenHash?: string
  /** It was run from a queue: its job ends in the same transaction. */
  hadJob?: boolean
  events: readonly NewEvent[]
}

export type OpenResult =
  | { kind: 'opened' }
  /** The key was used before with the same input: this is that call, as it stands now. */
  | { kind: 'existing'; call: CallRecord }
  /** The key was used before with other input. */
  | { kind: 'mismatch'; callId: string }
  /** Its group takes no more calls, or there is none: nothing was written. */
  | { kind: 'refused'; error: ToolError }

export interface CallQuery {
  tool?: string
  /** Further names of the tool: what it was called before. */
  formerNames?: readonly string[]
  status?: CallStatus
  agent?: string
  principal?: string
  sessionId?: string
  parentId?: string
  after?: string
  limit: number
}

/** The record of calls. Every write is durable when its promise resolves, and is batched with its neighbours. */
export interface CallLog {
  /** Writes call and events; with an idempotency key (per tenant and tool), hands back the earlier call instead. */
  open(start: CallStart): Promise<OpenResult>
  /**
   * A call that began and ended before it was written: start and settlement in one go. Where an
   * earlier `open` of the same call did get through, it is settled, with the events that lack.
   */
  recordWhole(start: CallStart, settlement: Settlement): Promise<void>
  /** Appends events to a call that is not settled and, where an attempt is given, while that attempt runs; else false. */
  append(
    tenant: string,
    callId: string,
    added: { events: readonly NewEvent[]; attempt?: number },
  ): Promise<boolean>
  /** The calls of these jobs as they stand; what is gone or settled is left out. */
  findRunnable(jobs: readonly Pick<Job, 'tenant' | 'callId'>[]): Promise<StoredCall[]>
  /**
   * Begins the next attempt, here. Undefined when the call is no longer as it was found: settled, or
   * begun by another node.
   */
  start(tenant: string, callId: string, begin: CallBegin): Promise<{ attempt: number } | undefined>
  /** running → queued, while this attempt is the current one: a retry, or a node that stops. */
  requeue(
    tenant: string,
    callId: string,
    from: {
      attempt: number
      work: WorkOrder
      /** It failed and is tried again; otherwise its node stops. */
      isFailure: boolean
      events: readonly NewEvent[]
    },
  ): Promise<boolean>
  /** running → waiting, while this attempt is the current one. The call then runs nowhere. */
  wait(
    tenant: string,
    callId: string,
    from: {
      attempt: number
      waitingFor: WaitingFor
      deadlineAt?: number
      events: readonly NewEvent[]
    },
  ): Promise<boolean>
  /** Puts calls back into the queue that wait for nested calls which have all settled. Returns how many. */
  releaseParents(limit: number): Promise<number>
  /** Calls past their deadline that run nowhere: waiting or queued. Each is handed out again until it is settled. */
  findOverdue(limit: number): Promise<StoredCall[]>
  /** The calls that this one has made, oldest first. */
  listChildren(tenant: string, callId: string): Promise<StoredCall[]>
  /** Queued or running calls that should have a job, after this id. */
  listWork(after: string | undefined, limit: number): Promise<StoredCall[]>
  /** The only way into a settled status. False when the call was settled before, or the attempt is old. */
  settle(settlement: Settlement): Promise<boolean>
  /**
   * The call that was started with this completion token (its digest), settled or not, whosever it is.
   * A token ends with its attempt: what was put back into the queue has none.
   */
  findByToken(callId: string, tokenHash: string): Promise<StoredCall | undefined>
  /** Uses the token up after the call has settled without it. True for the first who asks. */
  spendToken(tenant: string, callId: string, tokenHash: string): Promise<boolean>
  find(tenant: string, callId: string): Promise<CallRecord | undefined>
  list(tenant: string, query: CallQuery): Promise<Page<CallRecord>>
  /** Marks a call for cancelling, so that the node that runs it aborts it. False when settled or unknown. */
  requestCancel(tenant: string, callId: string): Promise<boolean>
  /** Of these calls, of any tenants, the settled ones; at most so many, ask again for the rest. */
  findSettled(
    calls: readonly Pick<CallRecord, 'tenant' | 'callId'>[],
    limit: number,
  ): Promise<CallRecord[]>
  /** Of these calls that run here, the ones somebody asked to cancel. */
  cancelRequested(callIds: readonly string[]): Promise<string[]>
  /** Unsettled calls whose node is gone or gave them up: claimed for this node, each handed out once, as they were left. */
  claimOrphans(limit: number): Promise<StoredCall[]>
}

/** How an attempt begins: from the state the call was found in, which fences whoever comes later. */
export interface CallBegin {
  from: 'queued' | 'running'
  /** The attempt it was found in. */
  attempt: number
  /** The digest of the token by which somebody outside may complete it. */
  tokenHash?: string
  events: readonly NewEvent[]
}

/** A call with what its record says about running it. */
export type StoredCall = CallRecord &
  Pick<
    CallStart,
    | 'execution'
    | 'isRepeatable'
    | 'timeoutMs'
    | 'permissions'
    | 'parents'
    | 'onBehalfOf'
    | 'work'
    | 'rawInput'
    | 'groupId'
    | 'position'
  > & {
    /** It has waited for nested calls: what they gave is used again instead of calling them again. */
    hasWaited: boolean
    /** A person has said yes to it. */
    isApproved: boolean
    /** How often a node died over it. */
    takeovers: number
    /** How often it failed and was put back to try again. */
    failures: number
    /** It had an input beside the recorded one, which can't be opened any more. */
    isInputLost?: boolean
    /** Of a running call whose node lives, as far as this one can tell: which. */
    runsOn?: 'here' | 'elsewhere'
  }

export interface EventQuery {
  /** Read on after this event id. */
  after?: string
  types?: readonly EventType[]
  callId?: string
  sessionId?: string
  limit: number
  /** A page ends early when its events weigh about so much; the first is always in it. A megabyte unless said, and at most. */
  maxBytes?: number
}

/** A page of events. `next` is always there: the cursor to read on from, also when nothing is new yet. */
export interface EventPage {
  items: CribEvent[]
  next: string
  /** More was there when the page was read. */
  hasMore: boolean
}

/** The event log. A reader with a cursor never misses an event, whoever commits when. */
export interface EventLog {
  /** Events that belong to no call (`tool.registered`, `secret.written`, …). Durable when it resolves. */
  record(entries: readonly LooseEvents[]): Promise<void>
  read(tenant: string, query: EventQuery): Promise<EventPage>
  /** The events that were recorded under this id (`LooseEvents.id`); none for another tenant's. */
  find(tenant: string, id: string): Promise<CribEvent[]>
  /**
   * The cursor after the newest event: where somebody starts who wants only what comes. With `back`,
   * so far before it that at least so many events follow, if there are.
   */
  end(tenant: string, back?: number): Promise<string>
  /** Which of two cursors comes first: below, above or exactly 0. Throws invalid_request for what is none. */
  compare(left: string, right: string): number
  /** Told that there may be something new to read; says nothing about what. Returns the way to stop. */
  watch(listener: () => void): () => void
}

/** Events outside of calls. */
export interface LooseEvents {
  /** Names the entry, so that it can be found again: the 32 hex digits of a fresh UUIDv7. */
  id?: string
  tenant: string
  principal: Principal
  sessionId?: string
  agent?: string
  events: readonly NewEvent[]
}

/** Outputs too large for an answer, and files. Text is stored as UTF-8 bytes. */
export interface ArtifactStore {
  put(tenant: string, callId: string, content: ArtifactContent): Promise<ArtifactReference>
  /**
   * Bytes from `offset`, at most `limit`, of this artifact or else of the call's newest. Undefined
   * when the call has no such artifact.
   */
  read(
    tenant: string,
    callId: string,
    range: { offset: number; limit: number; id?: string },
  ): Promise<ArtifactPage | undefined>
  /** What came of an attempt that lost. */
  remove(tenant: string, callId: string, id: string): Promise<void>
}

/** One decision, with all that follows from it. */
export interface DecisionEntry {
  by: Principal
  at: number
  /** The input that was decided on. */
  revision: number
  reason?: string
  /** The call's input from now on, as recorded and, where that was redacted, as it came. */
  edit?: { input: JsonValue; rawInput?: JsonValue }
  ruling:
    | {
        kind: 'approve'
        /** Where its job goes once nobody is missing. */
        work: WorkOrder
        /** The events of the call, told how many people are still missing. */
        toEvents(missing: number): NewEvent[]
        rule?: ApprovalRule
      }
    | { kind: 'reject'; settlement: Settlement }
}

/** What waits for people, what they said, and what of it holds for later calls. */
export interface ApprovalStore extends ApprovalRuleBook, ApprovalOutbox {
  find(tenant: string, id: string): Promise<Approval | undefined>
  /** With its call, as it would be run. */
  findWithCall(
    tenant: string,
    id: string,
  ): Promise<{ approval: Approval; call: StoredCall } | undefined>
  /** Newest first. */
  list(tenant: string, query: ApprovalQuery): Promise<Page<Approval>>
  /** In one transaction with what it does to the call: nobody ever sees half a decision. */
  decide(tenant: string, id: string, entry: DecisionEntry): Promise<DecisionResult>
  /** Ends a call that nobody decided on in time, with its approval. False when somebody was quicker. */
  expire(settlement: Settlement): Promise<boolean>
}

/**
 * Groups. Calls join by being opened, and count themselves off by being settled, each in the
 * statement that does so. A group is settled by whichever comes last: its last member's end, or its
 * seal. Who continues it holds a lease meanwhile; every lease is a new attempt, and an old one keeps
 * and finishes nothing.
 */
export interface GroupStore {
  create(
    group: Pick<GroupRecord, 'groupId' | 'tenant' | 'continuation' | 'deadlineAt'>,
  ): Promise<void>
  /** No more members. Undefined when there is no such group; sealing again does no harm. */
  seal(tenant: string, groupId: string): Promise<GroupRecord | undefined>
  find(tenant: string, groupId: string): Promise<GroupRecord | undefined>
  /** In the order in which they were made. */
  listMembers(tenant: string, groupId: string): Promise<StoredCall[]>
  /** Tells of groups that have settled since. Returns how many it told of. */
  announceSettled(limit: number): Promise<number>
  /** Groups of these kinds that have settled and nobody continues; each is leased to who asked. */
  claim(query: { kinds: readonly string[]; leaseMs: number; limit: number }): Promise<GroupRecord[]>
  /** The lease of a group that need not have settled yet. Undefined when somebody has it. */
  hold(tenant: string, groupId: string, leaseMs: number): Promise<{ attempt: number } | undefined>
  /** The lease ends so long from now; false when it is another's by now. */
  keep(tenant: string, groupId: string, lease: { attempt: number; ms: number }): Promise<boolean>
  /** It was continued; false when that is another's business by now. */
  finish(tenant: string, groupId: string, attempt: number): Promise<boolean>
  /** Groups past their deadline that have not settled. */
  findOverdue(limit: number): Promise<GroupRecord[]>
}

/** One open store with all its parts. */
export interface Store {
  readonly kind: 'pglite' | 'postgres'
  readonly calls: CallLog
  readonly events: EventLog
  readonly artifacts: ArtifactStore
  readonly secrets: SecretVault
  readonly connections: ConnectionStore
  readonly keys: KeyStore
  readonly tenants: TenantStore
  readonly rules: RuleStore
  readonly catalogue: CatalogueStore
  readonly members: MemberStore
  readonly skills: SkillStore
  readonly sessionFlags: SessionFlagStore
  readonly foundTools: FoundToolStore
  /** What is known of MCP servers without asking them. */
  readonly gateway: GatewayStore
  readonly approvals: ApprovalStore
  readonly groups: GroupStore
  readonly conversations: ConversationStore
  /** Absent where there is never more than one node. */
  readonly toolDirectory?: ToolDirectory
  /** A store that hands out its work itself. */
  readonly work?: WorkQueue
  /** Where a queue may keep its jobs, and how it hears of new ones. Absent where the store is not a database. */
  readonly jobs?: {
    sql: SqlRunner
    /** Several statements, all or none. */
    transact<T>(work: (db: SqlRunner) => Promise<T>): Promise<T>
    /** From now on calls are queued and settled together with their jobs here. */
    connect(table: JobTable): void
    watch(listener: () => void): () => void
    announce(): void
  }
  /**
   * Removes what is over since before that time: settled calls with their events and artifacts, and
   * events outside of calls. At most about `limit`; returns how much went.
   */
  removeOld(tenant: string, beforeMs: number, limit: number): Promise<number>
  readonly schedules: ScheduleStore
  readonly signIn: SignInStore
  readonly usage: UsageStore
  readonly audit: AuditLog
  readonly limits: LimitStore
  /** Absent where nothing is sealed. */
  readonly keyring?: Keyring
  /** Answers when the database does; throws store_unavailable. */
  ping(): Promise<void>
  /** Everything queued is written. */
  flush(): Promise<void>
  close(): Promise<void>
}
