/** How a queued call is to be run. */
export interface WorkOrder {
  /** Tools with a limit of their own have a queue of their own. */
  queue: string
  /** Higher goes first; 0 is usual. */
  priority: number
  /** Not before. */
  startAt?: number
}

/** A call that is handed to a node to be run, for as long as the node keeps it alive. */
export interface Job {
  tenant: string
  callId: string
  queue: string
  /** Counts up each time it is handed out; an old one keeps nothing alive. */
  lease: number
}

/** Plain SQL in the store's database, for parts that keep their own tables there. */
export interface SqlRunner {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>
}

/** Jobs as the store writes them: in the transaction that changes their calls. */
export interface JobTable {
  add(jobs: readonly (WorkOrder & Pick<Job, 'tenant' | 'callId'>)[], db: SqlRunner): Promise<void>
  remove(jobs: readonly Pick<Job, 'queue' | 'callId'>[], db: SqlRunner): Promise<void>
}

/** What must still be run. Calls and events hold the truth; this only hands work out. */
export interface WorkQueue {
  /** Up to `limit` jobs that are due, highest priority first; each is this node's while it keeps it. */
  take(limit: number): Promise<Job[]>
  /** Still at work on these: says so before the lease ends. */
  keep(jobs: readonly Job[]): Promise<void>
  /** Jobs whose calls need no running any more. */
  drop(jobs: readonly Job[]): Promise<void>
  /** Not for this node: another may have them, or this one again, after a while. */
  handBack(jobs: readonly Job[], afterMs: number): Promise<void>
  /** This job, and all others of its tenant, wait so long, unless they are roused before. */
  rest(job: Job, ms: number): Promise<void>
  /** What rests of this tenant is due when it was before. */
  rouse(tenant: string): Promise<void>
  /** Calls that should have a job: those that lost theirs get it back. */
  restore(jobs: readonly (WorkOrder & Pick<Job, 'tenant' | 'callId'>)[]): Promise<void>
  /** Told before a call is queued there: the queue exists once it resolves. */
  prepare(queue: string): Promise<void>
  /** How many jobs each tenant has waiting, delayed ones included. */
  waiting(): Promise<ReadonlyMap<string, number>>
  /** Told that there may be something to take. */
  watch(listener: () => void): () => void
  stop(): Promise<void>
}

/**
 * A word from node to node. Whoever does not listen just then never hears it, so it is for what may be
 * lost: nothing that has to be so may rest on it.
 */
export interface NodeBus {
  /** At most 2000 characters. */
  tell(word: string): void
  /** What other nodes say; never this one's own words. */
  hear(listener: (word: string) => void): () => void
}

/** Which tools the nodes of one database have. */
export interface ToolDirectory {
  /** From now on the others can see which tools are here. */
  announce(tools: () => readonly string[]): Promise<void>
  /** Another node that lives has this tool, or has not said yet what it has. */
  isElsewhere(tool: string): Promise<boolean>
}

/** Work that a server looks for again and again. */
export interface Sweep {
  name: string
  everyMs: number
  /** Look also whenever something relevant may have happened (true). */
  isWoken?: boolean
  /** Returns how much it did; unless that is 0, it is called again at once. */
  run(): Promise<number>
}
