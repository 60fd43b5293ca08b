import { ToolError } from '../../../core/kernel/errors.ts'
import { isRowFault, isTransient, toStoreError } from '../../engine/store-error.ts'

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
 * Gathers writes while the last batch is under way and sends them together in the next. Nothing is
 * delayed when idle. `send` gets rows of one kind and must write all or none of them.
 */
export function createWriteBatcher<Row, Result>(options: {
  lanes: number
  send: (kind: string, rows: readonly Row[]) => Promise<Result[]>
}): WriteBatcher<Row, Result> {
  let queue: Write<Row, Result>[] = []
  const busyKeys = new Set<string>()
  let freeSlots = options.lanes
  let isScheduled = false
  let isClosed = false
  const drained: (() => void)[] = []

  /**
   * After everything that the event loop has ready: requests that arrived together on many sockets
   * come one task after the other, and a microtask would write each alone. Measured on PGlite with
   * 32 clients, this makes one batch of thirty instead of thirty.
   */
  const schedule = () => {
    if (isScheduled || freeSlots === 0 || queue.length === 0) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      pump()
    })
  }
  const pump = () => {
    while (freeSlots > 0 && queue.length > 0) {
      const { batch, rest } = takeBatch(queue, busyKeys)
      if (batch.length === 0) return
      queue = rest
      freeSlots -= 1
      for (const { key } of batch) busyKeys.add(key)
      void sendBatch(options.send, batch).then(() => finish(batch))
    }
  }
  const finish = (batch: readonly Write<Row, Result>[]) => {
    freeSlots += 1
    for (const { key } of batch) busyKeys.delete(key)
    if (queue.length > 0) return schedule()
    if (freeSlots === options.lanes) for (const done of drained.splice(0)) done()
  }
  const flush = () =>
    new Promise<void>((resolve) => {
      if (queue.length === 0 && freeSlots === options.lanes) return resolve()
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

/** The first write that is free to go decides the kind; others of its kind go along, none overtakes one of its key. */
function takeBatch<Row, Result>(
  queue: readonly Write<Row, Result>[],
  busyKeys: ReadonlySet<string>,
): { batch: Write<Row, Result>[]; rest: Write<Row, Result>[] } {
  const batch: Write<Row, Result>[] = []
  const rest: Write<Row, Result>[] = []
  const seen = new Set<string>()
  let bytes = 0
  for (const write of queue) {
    const isFree =
      (batch[0] === undefined || write.kind === batch[0].kind) &&
      (batch.length === 0 || bytes + write.bytes <= maxBytes) &&
      batch.length < maxRows &&
      !seen.has(write.key) &&
      !busyKeys.has(write.key)
    seen.add(write.key)
    if (isFree) {
      batch.push(write)
      bytes += write.bytes
    } else rest.push(write)
  }
  return { batch, rest }
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
