import pg from 'pg'
import { createUuid } from '../../core/kernel/ids.ts'
import type { NodeBus } from '../../core/work-ports.ts'
import { createSignals, throttle } from './change-signal.ts'
import { type Topic, topics } from './engine.ts'

const channel = 'toolcrib_changed'
/** The payload matters to current listeners only; nobody looks for it later. */
const busChannel = 'toolcrib_said'
const announceEveryMs = 10
/** However notifications fare, readers look this often. */
const pollEveryMs = 1_000
const reconnectMs = 1_000

export interface Notifier {
  announce(topic: Topic): void
  watch(listener: () => void, topic: Topic): () => void
  readonly bus: NodeBus
  close(): Promise<void>
}

/**
 * Wakes readers on every node. NOTIFY inside a write transaction makes commits wait for each other
 * (a third of the rate at 32 writers), so it is sent on its own, at most every 10 ms, and means
 * only "look". A node wakes its own readers directly.
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
  const { bus, onWord } = createBus(options, self)
  const listening = createListener(options, (payload, isBusMessage) => {
    const [sender, topic] = (payload ?? '').split(' ', 2)
    if (sender === self) return
    if (isBusMessage) return onWord(payload?.slice(self.length + 1) ?? '')
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
    bus,
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

function createBus(
  { pool, onWarning }: { pool: pg.Pool; onWarning: (message: string) => void },
  self: string,
): { bus: NodeBus; onWord(word: string): void } {
  const hearers = new Set<(word: string) => void>()
  const bus: NodeBus = {
    tell(word) {
      pool
        .query('select pg_notify($1, $2)', [busChannel, `${self} ${word}`])
        .catch((error: Error) =>
          onWarning(`The other nodes could not be notified: ${error.message}`),
        )
    },
    hear(listener) {
      hearers.add(listener)
      return () => hearers.delete(listener)
    },
  }
  return { bus, onWord: (word) => hearers.forEach((hear) => hear(word)) }
}

/** A connection of its own that listens, and comes back when it was lost. */
function createListener(
  options: { connection: pg.ClientConfig; onWarning: (message: string) => void },
  onPayload: (payload: string | undefined, isBusMessage?: boolean) => void,
): { close(): Promise<void> } {
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let isLost = false
  const retry = (error: Error | undefined) => {
    if (isClosed || timer !== undefined) return
    if (error) options.onWarning(`Listening for changes was interrupted: ${error.message}`)
    isLost = true
    timer = setTimeout(connect, reconnectMs)
    timer.unref()
  }
  const noteBack = () => {
    if (isLost) options.onWarning('The database is back: listening for changes again.')
    isLost = false
  }
  const connect = () => {
    timer = undefined
    const next = new pg.Client(options.connection)
    client = next
    next.on('error', retry)
    next.on('end', () => retry(undefined))
    next.on('notification', (message) => onPayload(message.payload, message.channel === busChannel))
    next
      .connect()
      .then(() => next.query(`listen ${channel}; listen ${busChannel}`))
      .then(() => noteBack())
      // Catch up on notifications sent while nobody listened.
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
