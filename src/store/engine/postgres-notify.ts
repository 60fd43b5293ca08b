import pg from 'pg'
import { createUuid } from '../../core/ids.ts'
import { createChangeSignal, throttle } from './change-signal.ts'

const channel = 'toolcrib_changed'
const announceEveryMs = 10
/** However notifications fare, readers look this often. */
const pollEveryMs = 1_000
const reconnectMs = 1_000

export interface Notifier {
  announce(): void
  watch(listener: () => void): () => void
  close(): Promise<void>
}

/**
 * Wakes readers on every node. NOTIFY inside a write transaction makes commits wait for each other
 * (a third of the rate at 32 writers), so it is sent on its own, at most every 10 ms, and says only
 * "look". What one node announces wakes its own readers at once, without the way round.
 */
export function createNotifier(options: {
  connection: pg.ClientConfig
  pool: pg.Pool
  onWarning: (message: string) => void
}): Notifier {
  const self = createUuid()
  const signal = createChangeSignal()
  const send = throttle(announceEveryMs, () => {
    options.pool.query('select pg_notify($1, $2)', [channel, self]).catch(() => {
      // Nothing is lost: the other nodes' poll finds what is new.
    })
  })
  const listening = createListener(options, (sender) => {
    if (sender !== self) signal.fire()
  })
  const poll = setInterval(() => signal.fire(), pollEveryMs)
  poll.unref()
  return {
    announce() {
      signal.fire()
      send.call()
    },
    watch: (listener) => signal.watch(listener),
    async close() {
      clearInterval(poll)
      send.stop()
      signal.stop()
      await listening.close()
    },
  }
}

/** A connection of its own that listens, and comes back when it was lost. */
function createListener(
  options: { connection: pg.ClientConfig; onWarning: (message: string) => void },
  onSender: (sender: string | undefined) => void,
): { close(): Promise<void> } {
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  const retry = (error: Error | undefined) => {
    if (isClosed || timer !== undefined) return
    if (error) options.onWarning(`Listening for changes was interrupted: ${error.message}`)
    timer = setTimeout(connect, reconnectMs)
    timer.unref()
  }
  const connect = () => {
    timer = undefined
    const next = new pg.Client(options.connection)
    client = next
    next.on('error', retry)
    next.on('end', () => retry(undefined))
    next.on('notification', (message) => onSender(message.payload))
    next
      .connect()
      .then(() => next.query(`listen ${channel}`))
      // What was announced while nobody listened.
      .then(() => onSender(undefined))
      .catch((error: Error) => {
        retry(error)
        next.end().catch(() => {})
      })
  }
  connect()
  return {
    async close() {
      isClosed = true
      clearTimeout(timer)
      await client?.end().catch(() => {})
    },
  }
}
