import type {
  CallRecord,
  CallError,
  Decision,
  Principal,
  SettledStatus,
  ArtifactReference,
  CallStatus,
} from './call.ts'
import type { CribEvent, EventType, NewEvent } from './events/event.ts'
import type { JsonValue, Runtime } from './tool.ts'

/** A page of a list. `next` is the cursor of the page after it; absent at the end. */
export interface Page<T> {
  items: T[]
  next?: string
}

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
  /** May it be run again when its outcome is unknown? (read or idempotent) */
  isRepeatable: boolean
  timeoutMs: number
  decision?: Decision
  requestedAt: number
  startedAt?: number
  idempotencyKey?: string
  /** What an idempotency key is compared by, where the recorded input was redacted. Never stored, only a keyed digest of it. */
  hashInput?: JsonValue
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
  events: readonly NewEvent[]
}

export type OpenResult =
  | { kind: 'opened' }
  /** The key was used before with the same input: this is that call, as it stands now. */
  | { kind: 'existing'; call: CallRecord }
  /** The key was used before with other input. */
  | { kind: 'mismatch'; callId: string }

export interface CallQuery {
  tool?: string
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
  /** Appends events to a call that is not settled; false when it is. */
  append(tenant: string, callId: string, events: readonly NewEvent[]): Promise<boolean>
  /**
   * Begins the next attempt of a call that is this node's: a queued one, or an orphan it has claimed,
   * once. Undefined when the call is settled, already runs, or is another node's.
   */
  start(
    tenant: string,
    callId: string,
    events: readonly NewEvent[],
  ): Promise<{ attempt: number } | undefined>
  /**
   * running → queued, for a node that stops: nobody's until `claimOrphans` hands it out. False when
   * the call is settled, in another attempt, or another node's.
   */
  requeue(
    tenant: string,
    callId: string,
    from: { attempt: number; events: readonly NewEvent[] },
  ): Promise<boolean>
  /** The only way into a settled status. False when the call was settled before, or the attempt is old. */
  settle(settlement: Settlement): Promise<boolean>
  find(tenant: string, callId: string): Promise<CallRecord | undefined>
  list(tenant: string, query: CallQuery): Promise<Page<CallRecord>>
  /** Marks a call for cancelling, so that the node that runs it aborts it. False when settled or unknown. */
  requestCancel(tenant: string, callId: string): Promise<boolean>
  /** Of these calls that run here, the ones somebody asked to cancel. */
  cancelRequested(callIds: readonly string[]): Promise<string[]>
  /** Unsettled calls whose node is gone or gave them up: claimed for this node, each handed out once, as they were left. */
  claimOrphans(limit: number): Promise<OrphanedCall[]>
}

/** A call whose node is gone, with what its record says about running it again. */
export type OrphanedCall = CallRecord &
  Pick<CallStart, 'execution' | 'isRepeatable' | 'timeoutMs' | 'permissions' | 'parents'>

export interface EventQuery {
  /** Read on after this event id. */
  after?: string
  types?: readonly EventType[]
  callId?: string
  sessionId?: string
  limit: number
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
  /**
   * The cursor after the newest event: where somebody starts who wants only what comes. With `back`,
   * so far before it that at least so many events follow, if there are.
   */
  end(tenant: string, back?: number): Promise<string>
  /** Told that there may be something new to read; says nothing about what. Returns the way to stop. */
  watch(listener: () => void): () => void
}

/** Events outside of calls. */
export interface LooseEvents {
  tenant: string
  principal: Principal
  sessionId?: string
  agent?: string
  events: readonly NewEvent[]
}

/** Outputs too large for an answer. Text is stored as UTF-8 bytes. */
export interface ArtifactStore {
  put(
    tenant: string,
    callId: string,
    content: { text: string; mediaType: string },
  ): Promise<ArtifactReference>
  /** Bytes from `offset`, at most `limit`. Undefined when the call has no artifact here. */
  read(
    tenant: string,
    callId: string,
    range: { offset: number; limit: number },
  ): Promise<ArtifactPage | undefined>
}

export interface ArtifactPage extends ArtifactReference {
  offset: number
  chunk: Uint8Array
}

/** Who a secret belongs to: a tenant, or one agent of it whose value wins over the tenant's. */
export interface SecretScope {
  tenant: string
  agent?: string
}

export interface SecretSummary {
  name: string
  agent?: string
  /** Counts up with every write. */
  version: number
  updatedAt: string
}

/** The vault. Values go in; only the pipeline reads them, for one call, by declared name. */
export interface SecretVault {
  write(scope: SecretScope, name: string, value: string): Promise<SecretSummary>
  delete(scope: SecretScope, name: string): Promise<boolean>
  list(tenant: string): Promise<SecretSummary[]>
  /** Values of the named secrets that are set; the agent's wins over the tenant's. */
  read(scope: SecretScope, names: readonly string[]): Promise<Map<string, string>>
  /** Re-wraps every secret under the active master key. Returns how many were. */
  rotate(): Promise<number>
}

export interface ApiKey {
  id: string
  tenant: string
  name: string
  scopes: readonly string[]
  agent?: string
  createdAt: string
  expiresAt?: string
  lastUsedAt?: string
  revokedAt?: string
}

/** Keys at rest: the secret part only as an HMAC. */
export interface KeyStore {
  create(key: {
    tenant: string
    name: string
    scopes: readonly string[]
    agent?: string
    expiresAt?: Date
  }): Promise<{ key: ApiKey; token: string }>
  /** The live key of this token, or undefined for anything wrong with it. Same time whichever it is. */
  verify(token: string): Promise<ApiKey | undefined>
  list(tenant: string): Promise<ApiKey[]>
  revoke(tenant: string, id: string): Promise<boolean>
}

/** A declared tenant or agent, synced from configuration at start. */
export interface TenantStore {
  sync(
    tenants: readonly {
      slug: string
      name: string
      agents: readonly { slug: string; definition: JsonValue }[]
    }[],
  ): Promise<void>
  list(): Promise<{ slug: string; name: string }[]>
  agents(tenant: string): Promise<{ slug: string; definition: JsonValue; isDeclared: boolean }[]>
}

/** One open store with all its parts. */
export interface Store {
  readonly kind: 'pglite' | 'postgres'
  readonly calls: CallLog
  readonly events: EventLog
  readonly artifacts: ArtifactStore
  readonly secrets: SecretVault
  readonly keys: KeyStore
  readonly tenants: TenantStore
  /** Answers when the database does; throws store_unavailable. */
  ping(): Promise<void>
  /** Everything queued is written. */
  flush(): Promise<void>
  close(): Promise<void>
}
