import type { ApprovalStart } from './approvals/approval.ts'
import type {
  ArtifactReference,
  CallError,
  CallRecord,
  CallStatus,
  Decision,
  Principal,
  SettledStatus,
  WaitingFor,
} from './kernel/call.ts'
import type { ToolError } from './kernel/errors.ts'
import type { NewEvent } from './events/event.ts'
import type { Page } from './kernel/page.ts'
import type { JsonValue, Runtime } from './kernel/tool.ts'
import type { Job, WorkOrder } from './work-ports.ts'

/** The first record of a call, written with its first events in one transaction. */
export interface CallStart {
  callId: string
  tenant: string
  tool: string
  /** Of the tool that runs it; of a queued or waiting call, of the tool that was asked for. */
  toolVersion?: string
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
  /** Of a call that people decide on: whose key asked for it. */
  person?: Principal
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
  /** Nested calls: the digest of tool and input as the parent asked for them, to know the call again. */
  askedDigest?: string
  /**
   * The input as it came, where the recorded one was redacted. An idempotency key is compared by a
   * keyed digest of it; of calls that run after their answer it is kept sealed, to run them with.
   */
  rawInput?: JsonValue
  /**
   * With an idempotency key: the input as it came, but with missing nulls filled in and unknown keys
   * dropped, where that makes a difference. A key is compared by a keyed digest of this, too.
   */
  preparedInput?: JsonValue
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
  /** What it cost, in units. */
  cost?: number
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
  /** Calls that this one made, those that they made, and so on. */
  underId?: string
  /** Calls that were made with this key, of whatever tool. */
  idempotencyKey?: string
  /** Requested from this time on, in milliseconds. */
  fromMs?: number
  /** Requested before this time. */
  toMs?: number
  /** Without inputs (null) and outputs: a long list of large calls is then short. */
  isBrief?: boolean
  after?: string
  limit: number
}

/** The record of calls. Every write is durable when its promise resolves, and is batched with its neighbours. */
export interface CallLog {
  /**
   * Writes call and events; with an idempotency key (per tenant and tool), hands back the earlier call
   * instead. May be repeated for the same id. Rejects with `store_unavailable` when it may be written
   * all the same, with another code when it is not.
   */
  open(start: CallStart): Promise<OpenResult>
  /**
   * A call that began and ended before it was written: start and settlement in one go. Where an
   * earlier `open` of the same call did get through, it is settled, with the events that lack. Said to
   * be new, nobody has tried to write it before: it may go where it is safe, and into the record before
   * anybody looks.
   */
  recordWhole(start: CallStart, settlement: Settlement, more?: { isNew?: boolean }): Promise<void>
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
  /** The same text for the same value, keyed where it is stored: nobody can guess a short secret from it. */
  digestInput(value: JsonValue): string
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
  /** The same with what is kept for running it: the input that its record hides, where that is kept. */
  findWithInput(tenant: string, callId: string): Promise<StoredCall | undefined>
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
  /** Of the tool that runs it now: it may have changed since the call was queued. */
  toolVersion?: string
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
    | 'person'
    | 'work'
    | 'rawInput'
    | 'groupId'
    | 'position'
    | 'askedDigest'
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
