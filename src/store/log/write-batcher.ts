import { ToolError } from '../../core/errors.ts'
import { isRowFault, isTransient, toStoreError } from '../engine/store-error.ts'

/** One write that waits its turn. */
export interface Write<Row, Result> {
  /** Which statement writes it; only writes of one kind share a batch. */
  readonly kind: string
  /** Writes with the same key (a call) keep their order and never share a batch. */
  readonly key: string
  readonly row: Row
  /** About how much it weighs, so that a batch stays small enough for one message. */
  readonly bytes: number
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

export interface WriteBatcher<Row, Result> {
  write(write: Pick<Write<Row, Result>, 'kind' | 'key' | 'row' | 'bytes'>): Promise<Result>
  /** Everything asked for until now is written or has failed. */
  flush(): Promise<void>
  /** Writes what is waiting and takes nothing more. */
  close(): Promise<void>
}

const maxRows = 512
const maxBytes = 4 * 1024 * 1024
/**
 * So many of a kind are worth a second statement beside the first. Fewer gain more by going together
 * with those that come meanwhile: on PostgreSQL eight callers at a time had a fifth more calls.
 */
const crowd = 16

/**
 * Gathers writes while the last batch is under way and sends them together in the next. Nothing is
 * delayed when idle. `send` gets rows of one kind and must write all or none of them.
 */
export function createWriteBatcher<Row, Result>(options: {
  lanes: number
  send: (kind: string, rows: readonly Row[]) => Promise<Result[]>
}): WriteBatcher<Row, Result> {
  let queue: Write<Row, Result>[] = []
  const busy: Busy = { keys: new Set(), kinds: [] }
  let freeLanes = options.lanes
  let isScheduled = false
  let isClosed = false
  const drained: (() => void)[] = []

  /**
   * After everything that the event loop has ready: requests that arrived together on many sockets
   * come one task after the other, and a microtask would write each alone. Measured on PGlite with
   * 32 clients, this makes one batch of thirty instead of thirty.
   */
  const schedule = () => {
    if (isScheduled || freeLanes === 0 || queue.length === 0) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      pump()
    })
  }
  const pump = () => {
    while (freeLanes > 0 && queue.length > 0) {
      const { batch, rest } = takeBatch(queue, busy)
      if (!hasFirst(batch)) return
      queue = rest
      freeLanes -= 1
      const [first] = batch
      busy.kinds.push(first.kind)
      for (const { key } of batch) busy.keys.add(key)
      void sendBatch(options.send, batch).then(() => finish(batch))
    }
  }
  const finish = (batch: Batch<Row, Result>) => {
    freeLanes += 1
    busy.kinds.splice(busy.kinds.indexOf(batch[0].kind), 1)
    for (const { key } of batch) busy.keys.delete(key)
    if (queue.length > 0) return schedule()
    if (freeLanes === options.lanes) for (const done of drained.splice(0)) done()
  }
  const flush = () =>
    new Promise<void>((resolve) => {
      if (queue.length === 0 && freeLanes === options.lanes) return resolve()
      drained.push(resolve)
    })
  return {
    write({ kind, key, row, bytes }) {
      if (isClosed) return Promise.reject(closedError())
      return new Promise((resolve, reject) => {
        queue.push({ kind, key, row, bytes, resolve, reject })
        schedule()
      })
    },
    flush,
    async close() {
      isClosed = true
      await flush()
    },
  }
}

/** What is under way. */
interface Busy {
  readonly keys: Set<string>
  /** Of each batch. */
  readonly kinds: string[]
}

type Batch<Row, Result> = readonly [Write<Row, Result>, ...Write<Row, Result>[]]

function hasFirst<Row, Result>(
  writes: readonly Write<Row, Result>[],
): writes is Batch<Row, Result> {
  return writes.length > 0
}

/** The first write that is free to go decides the kind; others of its kind go along, none overtakes one of its key. */
function takeBatch<Row, Result>(
  queue: readonly Write<Row, Result>[],
  busy: Busy,
): { batch: Write<Row, Result>[]; rest: Write<Row, Result>[] } {
  const batch: Write<Row, Result>[] = []
  const rest: Write<Row, Result>[] = []
  const seen = new Set<string>()
  const waiting = busy.kinds.filter((kind) => countOf(queue, kind) < crowd)
  let bytes = 0
  for (const write of queue) {
    const isFree =
      (batch[0] === undefined ? !waiting.includes(write.kind) : write.kind === batch[0].kind) &&
      (batch.length === 0 || bytes + write.bytes <= maxBytes) &&
      batch.length < maxRows &&
      !seen.has(write.key) &&
      !busy.keys.has(write.key)
    seen.add(write.key)
    if (isFree) {
      batch.push(write)
      bytes += write.bytes
    } else rest.push(write)
  }
  return { batch, rest }
}

function countOf(queue: readonly { kind: string }[], kind: string): number {
  return queue.reduce((count, write) => (write.kind === kind ? count + 1 : count), 0)
}

/** Settles every write of the batch; where one row is to blame, halves are tried apart until it stands alone. */
async function sendBatch<Row, Result>(
  send: (kind: string, rows: readonly Row[]) => Promise<Result[]>,
  batch: readonly Write<Row, Result>[],
): Promise<void> {
  const [first] = batch
  if (first === undefined) return
  try {
    const results = await send(
      first.kind,
      batch.map((write) => write.row),
    )
    batch.forEach((write, index) => write.resolve(results[index] as Result))
  } catch (error) {
    if (isTransient(error)) return sendBatch(send, batch)
    if (batch.length === 1 || !isRowFault(error)) {
      const reason = toStoreError(error)
      for (const write of batch) write.reject(reason)
      return
    }
    const middle = batch.length >> 1
    await sendBatch(send, batch.slice(0, middle))
    await sendBatch(send, batch.slice(middle))
  }
}

function closedError(): ToolError {
  return new ToolError('shutting_down', 'The store is closing and takes no more writes.', {
    fix: 'Try again once the server is back.',
  })
}
