import pg from 'pg'
import { createUuid } from '../../core/ids.ts'
import { createSignals, throttle } from './change-signal.ts'
import { type Topic, topics } from './engine.ts'

const channel = 'toolcrib_changed'
const announceEveryMs = 10
/** However notifications fare, readers look this often. */
const pollEveryMs = 1_000
const reconnectMs = 1_000

export interface Notifier {
  announce(topic: Topic): void
  watch(listener: () => void, topic: Topic): () => void
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
  const signals = createSignals()
  const tellOthers = (topic: Topic) =>
    throttle(announceEveryMs, () => {
      options.pool.query('select pg_notify($1, $2)', [channel, `${self} ${topic}`]).catch(() => {
        // Nothing is lost: the other nodes' poll finds what is new.
      })
    })
  const senders = {
    events: tellOthers('events'),
    jobs: tellOthers('jobs'),
    rules: tellOthers('rules'),
  }
  const fireAll = () => {
    for (const topic of topics) signals[topic].fire()
  }
  const listening = createListener(options, (payload) => {
    const [sender, topic] = (payload ?? '').split(' ')
    if (sender === self) return
    const known = topics.find((candidate) => candidate === topic)
    if (known === undefined) fireAll()
    else signals[known].fire()
  })
  const poll = setInterval(fireAll, pollEveryMs)
  poll.unref()
  return {
    announce(topic) {
      signals[topic].fire()
      senders[topic].call()
    },
    watch: (listener, topic) => signals[topic].watch(listener),
    async close() {
      clearInterval(poll)
      for (const topic of topics) {
        senders[topic].stop()
        signals[topic].stop()
      }
      await listening.close()
    },
  }
}

/** A connection of its own that listens, and comes back when it was lost. */
function createListener(
  options: { connection: pg.ClientConfig; onWarning: (message: string) => void },
  onPayload: (payload: string | undefined) => void,
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
    next.on('notification', (message) => onPayload(message.payload))
    next
      .connect()
      .then(() => next.query(`listen ${channel}`))
      // What was announced while nobody listened.
      .then(() => onPayload(undefined))
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
