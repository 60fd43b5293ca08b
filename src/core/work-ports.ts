/** How to run a queued call. */
export interface WorkOrder {
  /** Tools with their own limit have their own queue. */
  queue: string
  /** Higher runs first; 0 is the default. */
  priority: number
  /** The earliest start. */
  startAt?: number
}

/** A call that is leased to a node to run, for as long as the node renews the lease. */
export interface Job {
  tenant: string
  callId: string
  queue: string
  /** Incremented with each lease; an old lease can't be renewed. */
  lease: number
}

/** Plain SQL in the store's database, for parts with their own tables. */
export interface SqlRunner {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>
}

/** Jobs as the store writes them: in the transaction that changes their calls. */
export interface JobTable {
  add(jobs: readonly (WorkOrder & Pick<Job, 'tenant' | 'callId'>)[], db: SqlRunner): Promise<void>
  remove(jobs: readonly Pick<Job, 'queue' | 'callId'>[], db: SqlRunner): Promise<void>
}

/** Work that must still run. Calls and events hold the truth; this only distributes work. */
export interface WorkQueue {
  /** Leases up to `limit` due jobs to this node, highest priority first. */
  take(limit: number): Promise<Job[]>
  /** Renews the leases of these jobs. */
  keep(jobs: readonly Job[]): Promise<void>
  /** Removes jobs whose calls need not run any more. */
  drop(jobs: readonly Job[]): Promise<void>
  /**
   * Returns jobs that this node can't run: another node may take them, or this one again, after a
   * while.
   */
  handBack(jobs: readonly Job[], afterMs: number): Promise<void>
  /** Delays this job, and all others of its tenant, unless they are woken earlier. */
  rest(job: Job, ms: number): Promise<void>
  /** Ends the delay of this tenant's jobs. */
  rouse(tenant: string): Promise<void>
  /** Restores the lost jobs of calls that should have one. */
  restore(jobs: readonly (WorkOrder & Pick<Job, 'tenant' | 'callId'>)[]): Promise<void>
  /** Called before a call is queued there: the queue exists once it resolves. */
  prepare(queue: string): Promise<void>
  /** How many jobs each tenant has waiting, including delayed ones. */
  waiting(): Promise<ReadonlyMap<string, number>>
  /** Called when there may be something to take. */
  watch(listener: () => void): () => void
  stop(): Promise<void>
}

/**
 * Messages between nodes. A node that is not listening at that moment never receives them, so they
 * are only for information that may be lost: nothing may depend on them.
 */
export interface NodeBus {
  /** At most 2000 characters. */
  tell(word: string): void
  /** Messages of other nodes; never this one's own. */
  hear(listener: (word: string) => void): () => void
}

/** Which tools the nodes of one database have. */
export interface ToolDirectory {
  /** Publishes this node's tools to the others. */
  announce(tools: () => readonly string[]): Promise<void>
  /** True if another live node has this tool, or has not published its tools yet. */
  isElsewhere(tool: string): Promise<boolean>
}

/** Periodic work of a server. */
export interface Sweep {
  name: string
  everyMs: number
  /** Also runs whenever something relevant may have happened (true). */
  isWoken?: boolean
  /** Returns how much it did; unless that is 0, it is called again at once. */
  run(): Promise<number>
}
