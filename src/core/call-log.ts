import type { ApprovalStart } from './approvals/approval.ts'
import type {
  CallError,
  CallPurpose,
  CallRecord,
  CallStatus,
  Decision,
  Principal,
  SettledStatus,
  WaitingFor,
} from './kernel/call.ts'
import type { ArtifactReference } from './kernel/artifact-reference.ts'
import type { ToolError } from './kernel/errors.ts'
import type { NewEvent } from './events/event.ts'
import type { Page } from './kernel/page.ts'
import type { Rerun } from './kernel/steps/rerun.ts'
import type { JsonValue, Runtime } from './kernel/tool.ts'
import type { Job, SqlRunner, WorkOrder } from './work-ports.ts'

/** The first record of a call, written with its first events in one transaction. */
export interface CallStart {
  callId: string
  tenant: string
  tool: string
  /** Of the tool that runs it; for a queued or waiting call, of the tool that was requested. */
  toolVersion?: string
  status: CallStatus
  input: JsonValue
  agent?: string
  principal: Principal
  runtime: Runtime
  sessionId?: string
  parentId?: string
  /** For a call without effects. */
  purpose?: CallPurpose
  /** The call that this one undoes. */
  undoes?: string
  /** The call that this one runs again, and from where. */
  rerun?: Rerun
  attempt: number
  /** `background` calls that are reads or idempotent are rerun after a crash; see recovery. */
  execution: 'inline' | 'background' | 'external'
  /** The caller's permissions, stored for calls that run after their answer. */
  permissions?: readonly string[]
  /** The parent agents, nearest first, stored for the same reason. */
  parents?: readonly string[]
  /** The active skill: only tools it allows may be used. */
  skill?: string
  /** The principal that the caller acts for. */
  onBehalfOf?: Principal
  /** For a call that needs approval: the person whose key requested it. */
  person?: Principal
  /** True if it may be rerun when its outcome is unknown (read or idempotent). */
  isRepeatable: boolean
  timeoutMs: number
  decision?: Decision
  requestedAt: number
  startedAt?: number
  idempotencyKey?: string
  /** For queued calls: how to run them. Written in the same transaction. */
  work?: WorkOrder
  /** For calls that start as waiting: what they wait for. */
  waitingFor?: WaitingFor
  /** When a waiting or queued call times out. */
  deadlineAt?: number
  /** The group whose continuation waits for this call. */
  groupId?: string
  /** For nested calls: the position among the parent's calls. */
  position?: number
  /** For a step of a resumable call: the key by which its parent finds it again. */
  stepKey?: string
  /** The step is one of many that its parent need not hear of one by one. */
  isItem?: boolean
  /** How many items there are. */
  itemCount?: number
  /** For a step that does not run at once: what its end adds to the wakes of its parent. */
  parentWake?: number
  /** A later run of it continues: the calls it makes are found again by their step keys. */
  isResumable?: boolean
  /** It runs the version of the tool that its parent names, not the current one. */
  isPinned?: boolean
  /** Part of a draft that is tried for real: each effect below is asked for. */
  isTrial?: boolean
  /** How deep it is nested, where that is more than 1. */
  depth?: number
  /**
   * For nested calls: the digest of tool and input as the parent requested them, to recognise the
   * call.
   */
  askedDigest?: string
  /**
   * The original input, if the recorded one was redacted. Idempotency keys are compared by a keyed
   * digest of it; for calls that run after their answer it is stored sealed, to run them with.
   */
  rawInput?: JsonValue
  /**
   * With an idempotency key: the original input with missing nulls filled in and unknown keys
   * dropped, if that differs. Keys are compared by a keyed digest of this, too.
   */
  preparedInput?: JsonValue
  /** The approval it needs before it runs; written in the same transaction. */
  approval?: ApprovalStart
  events: readonly NewEvent[]
}

/** The result of a call, written with its last events. */
export interface Settlement {
  callId: string
  tenant: string
  status: SettledStatus
  output?: JsonValue
  error?: CallError
  artifact?: ArtifactReference
  warnings?: readonly string[]
  /** Its cost, in units. */
  cost?: number
  settledAt: number
  /** Settle only while this attempt is current: fences off a worker that was presumed dead. */
  attempt?: number
  /** Settle only from this status: fences off a late decision. */
  from?: CallStatus
  /** Settle only a call that was started with this completion token (its digest). */
  tokenHash?: string
  /** It was run from a queue: its job is removed in the same transaction. */
  hadJob?: boolean
  events: readonly NewEvent[]
}

export type OpenResult =
  | { kind: 'opened' }
  /** The key was used before with the same input: this is that call in its current state. */
  | { kind: 'existing'; call: CallRecord }
  /** The key was used before with different input. */
  | { kind: 'mismatch'; callId: string }
  /** Its group accepts no more calls, or does not exist: nothing was written. */
  | { kind: 'refused'; error: ToolError }

export interface CallQuery {
  tool?: string
  /** Former names of the tool. */
  formerNames?: readonly string[]
  status?: CallStatus
  agent?: string
  principal?: string
  sessionId?: string
  parentId?: string
  /** Descendants of this call, at any depth. */
  underId?: string
  /** Calls that were made with this key, of any tool. */
  idempotencyKey?: string
  /** Requested from this time on, in milliseconds. */
  fromMs?: number
  /** Requested before this time. */
  toMs?: number
  /** Without inputs (null) and outputs, which keeps a long list of large calls small. */
  isBrief?: boolean
  after?: string
  limit: number
}

/**
 * The record of calls. Every write is durable when its promise resolves, and is batched with
 * concurrent ones.
 */
export interface CallLog {
  /**
   * Writes call and events; with an idempotency key (per tenant and tool), returns the earlier call
   * instead. May be repeated for the same id. Rejects with `store_unavailable` when it may have
   * been written, with another code when it was not.
   */
  open(start: CallStart): Promise<OpenResult>
  /**
   * Writes a call that started and ended before it was written: start and settlement at once. If an
   * earlier `open` of the same call succeeded after all, the call is settled, with the missing
   * events. `isNew` promises that no write was attempted before: the write may then be journalled
   * first, and reaches the tables before anyone reads them.
   */
  recordWhole(start: CallStart, settlement: Settlement, more?: { isNew?: boolean }): Promise<void>
  /** Appends events to an unsettled call, if given only while that attempt runs; else false. */
  append(
    tenant: string,
    callId: string,
    added: { events: readonly NewEvent[]; attempt?: number },
  ): Promise<boolean>
  /** The current calls of these jobs; removed and settled ones are left out. */
  findRunnable(jobs: readonly Pick<Job, 'tenant' | 'callId'>[]): Promise<StoredCall[]>
  /**
   * Starts the next attempt, here. Undefined when the call has changed: settled, or started by
   * another node.
   */
  start(tenant: string, callId: string, begin: CallBegin): Promise<{ attempt: number } | undefined>
  /** running → queued, while this attempt is current: a retry, or a stopping node. */
  requeue(
    tenant: string,
    callId: string,
    from: {
      attempt: number
      work: WorkOrder
      /** True for a retry after a failure; otherwise its node stops. */
      isFailure: boolean
      events: readonly NewEvent[]
    },
  ): Promise<boolean>
  /** running → waiting, while this attempt is current. The call then runs nowhere. */
  wait(
    tenant: string,
    callId: string,
    from: {
      attempt: number
      waitingFor: WaitingFor
      deadlineAt?: number
      /** Continue once the call has as many `wakes`; absent: once all calls it made have settled. */
      wakeAt?: number
      events: readonly NewEvent[]
    },
  ): Promise<boolean>
  /**
   * Requeues calls that wait for nested calls: resumable ones when enough of their steps have
   * settled, others when all calls they made have. Returns how many.
   */
  releaseParents(limit: number): Promise<number>
  /**
   * Requeues resumable calls that wait although none of their steps is open any more. A safeguard:
   * settling a step wakes its parent in the same transaction. Returns how many.
   */
  releaseStalled(limit: number): Promise<number>
  /** Open steps of calls that have settled: nobody waits for them any more. */
  findStranded(limit: number): Promise<StoredCall[]>
  /**
   * Calls past their deadline that run nowhere: waiting or queued. Each is returned again until it
   * is settled.
   */
  findOverdue(limit: number): Promise<StoredCall[]>
  /**
   * The same text for the same value, keyed with a stored key: nobody can guess a short secret from
   * it.
   */
  digestInput(value: JsonValue): string
  /** The steps that this call has made, counted. */
  tallySteps(tenant: string, callId: string): Promise<StepTally[]>
  /** The calls made by this one, oldest first. */
  listChildren(tenant: string, callId: string): Promise<StoredCall[]>
  /** Queued or running calls that should have a job, after this id. */
  listWork(after: string | undefined, limit: number): Promise<StoredCall[]>
  /**
   * The only way into a settled status. False when the call was settled before, or the attempt is
   * outdated.
   */
  settle(settlement: Settlement): Promise<boolean>
  /** The same in one transaction with a change of other tables: both happen, or neither. */
  settleAlong(settlement: Settlement, along: ChangeAlong): Promise<boolean>
  /** Appends events to an unsettled call, likewise. */
  appendAlong(
    call: Pick<CallRecord, 'tenant' | 'callId'>,
    events: readonly NewEvent[],
    along: ChangeAlong,
  ): Promise<boolean>
  /**
   * The call that was started with this completion token (its digest), settled or not, of any
   * tenant. A token ends with its attempt: a requeued call has none.
   */
  findByToken(callId: string, tokenHash: string): Promise<StoredCall | undefined>
  /** Uses the token up after the call has settled without it. True only for the first use. */
  spendToken(tenant: string, callId: string, tokenHash: string): Promise<boolean>
  find(tenant: string, callId: string): Promise<CallRecord | undefined>
  /** The same with the data for running it: the hidden input, if it was stored. */
  findWithInput(tenant: string, callId: string): Promise<StoredCall | undefined>
  list(tenant: string, query: CallQuery): Promise<Page<CallRecord>>
  /**
   * Marks a call as cancelled, so that the node that runs it aborts it. False when settled or
   * unknown.
   */
  requestCancel(tenant: string, callId: string): Promise<boolean>
  /**
   * Returns those of these calls, of any tenant, that have settled; limited, so repeat for the
   * rest.
   */
  findSettled(
    calls: readonly Pick<CallRecord, 'tenant' | 'callId'>[],
    limit: number,
  ): Promise<CallRecord[]>
  /** Returns those of these local calls that were cancelled. */
  cancelRequested(callIds: readonly string[]): Promise<string[]>
  /**
   * Unsettled calls whose node is dead or gave them up: claimed for this node, each returned once,
   * in their last state.
   */
  claimOrphans(limit: number): Promise<StoredCall[]>
}

/** Calls of one step in the same state. Of several tries, and of several rounds, the last counts. */
export interface StepTally {
  step: string
  status: CallStatus
  waitingFor?: WaitingFor
  tool: string
  count: number
  /** For a step that runs for every item of a list: how many there are. */
  itemCount?: number
  /** The first of them. */
  callId: string
  firstMs: number
  /** When the last of them settled. */
  lastMs?: number
}

/**
 * A change of other tables, made while the call is locked. False refuses, and nothing is written.
 * It may run nothing but these statements.
 */
export type ChangeAlong = (db: SqlRunner) => Promise<boolean>

/** The start of an attempt: from the state the call was found in, which fences off later ones. */
export interface CallBegin {
  from: 'queued' | 'running'
  /** The attempt it was found in. */
  attempt: number
  /** The digest of the token by which an external worker may complete it. */
  tokenHash?: string
  /** Of the tool that runs it now: it may have changed since the call was queued. */
  toolVersion?: string
  events: readonly NewEvent[]
}

/** A call with the data for running it. */
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
    | 'isItem'
    | 'isResumable'
    | 'isPinned'
    | 'isTrial'
    | 'depth'
    | 'rerun'
  > & {
    /** The weight of all its steps that have settled, as of this reading. */
    wakes: number
    /** It has waited for nested calls: their results are reused instead of calling again. */
    hasWaited: boolean
    /** A person has approved it. */
    isApproved: boolean
    /** How many nodes died while running it. */
    takeovers: number
    /** How often it failed and was requeued. */
    failures: number
    /** Its original input can no longer be opened. */
    isInputLost?: boolean
    /** For a running call whose node is alive, as far as known: where it runs. */
    runsOn?: 'here' | 'elsewhere'
  }
