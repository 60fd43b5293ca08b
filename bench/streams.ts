import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { createDatabase } from './fixtures.ts'
import { type Figure, median } from './measure.ts'
import { openSseReaders } from './sse-readers.ts'
import type { WriteOrder } from './streams-server.ts'

const readerCount = 1_000
const order: WriteOrder = { calls: 320, atOnce: 16 }
const eventCount = order.calls * 3
const latencyRounds = 200
/** Two nodes on one database need the same. */
const masterKey = `bench:${randomBytes(32).toString('base64')}`

/** A thousand readers of one stream on one node, and how soon an event reaches a reader on another. */
export async function benchStreams(databaseUrl: string): Promise<Figure[]> {
  const bare = await measureFanOut('bare')
  const embedded = await measureFanOut('crib')
  const shared = await measureFanOut('crib', await createDatabase(databaseUrl))
  const latencies = await measureLatency(await createDatabase(databaseUrl))
  return [
    ...fanOutFigures('PGlite', embedded, bare),
    ...fanOutFigures('PostgreSQL', shared, bare),
    { name: 'memory of the bare server', value: bare.megabytes, unit: 'MB' },
    toLatency('p50', median(latencies), 10),
    toLatency('p99', latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN),
  ]
}

interface FanOut {
  /** Events a second, each counted once for every reader. */
  rate: number
  /** Readers that were given every event, in order. */
  complete: number
  megabytes: number
}

function fanOutFigures(store: string, ours: FanOut, bare: FanOut): Figure[] {
  const { rate, complete, megabytes } = ours
  const what = `${readerCount.toLocaleString('en')} readers, ${store}`
  return [
    {
      name: `${what}: given all ${eventCount} events in order`,
      value: complete,
      unit: 'readers',
      goal: 'all',
      kept: complete === readerCount,
    },
    {
      name: `${what}: events delivered`,
      value: rate,
      bare: bare.rate,
      ratio: rate / bare.rate,
      unit: 'events/s',
    },
    {
      name: `${what}: most memory of the server`,
      value: megabytes,
      bare: bare.megabytes,
      unit: 'MB',
      goal: '< 600',
      kept: megabytes < 600,
    },
  ]
}

function toLatency(name: string, value: number, goal?: number): Figure {
  const figure = { name: `event to a reader on another node, ${name}`, value, unit: 'ms' }
  return goal === undefined ? figure : { ...figure, goal: `< ${goal}`, kept: value < goal }
}

async function measureFanOut(kind: 'bare' | 'crib', database?: string): Promise<FanOut> {
  const server = await startServer(kind, database)
  // The embedded database is compiled for a while after its start, which takes 400 MB for a moment
  // without a single reader; what starting costs is measured elsewhere.
  await new Promise((resolve) => setTimeout(resolve, 3000))
  await server.readMegabytes()
  const readers = await openSseReaders(readerCount, server.url, server.headers)
  try {
    // Compilers warm up, buffers find their size.
    await Promise.all([server.write({ ...order, calls: 32 }), readers.until(96)])
    const startedAt = performance.now()
    await Promise.all([server.write(order), readers.until(96 + eventCount)])
    const seconds = (performance.now() - startedAt) / 1000
    return {
      rate: (eventCount * readerCount) / seconds,
      complete: readers.countWith(96 + eventCount),
      megabytes: await server.readMegabytes(),
    }
  } finally {
    readers.close()
    server.stop()
  }
}

/** From the tool's input on one node to its event at a reader of the other: the writing is in it. */
async function measureLatency(database: string): Promise<number[]> {
  const [writer, reader] = [
    await startServer('crib', database),
    await startServer('crib', database),
  ]
  const stream = await fetch(reader.url, {
    headers: { accept: 'text/event-stream', ...reader.headers },
  })
  const latencies: number[] = []
  try {
    let text = ''
    let isAsked = false
    for await (const piece of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const now = performance.timeOrigin + performance.now()
      text += piece
      const writtenAt = /"label":"(\d+\.\d+)"[^\n]*\n\n/.exec(text)?.[1]
      if (isAsked && writtenAt === undefined) continue
      if (writtenAt !== undefined) latencies.push(now - Number(writtenAt))
      if (latencies.length === latencyRounds) break
      text = ''
      isAsked = true
      // Not in step with anybody's timer.
      await new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 20))
      void writer.write({ calls: 1, atOnce: 1 })
    }
    return latencies.toSorted((a, b) => a - b)
  } finally {
    writer.stop()
    reader.stop()
  }
}

interface Server {
  url: URL
  headers: Record<string, string>
  write(order: WriteOrder): Promise<void>
  readMegabytes(): Promise<number>
  stop(): void
}

async function startServer(kind: 'bare' | 'crib', database?: string): Promise<Server> {
  const args = database === undefined ? [kind] : [kind, database]
  const env = { ...process.env, TOOLCRIB_MASTER_KEY: masterKey }
  const child = fork(path.join(import.meta.dirname, 'streams-server.ts'), args, { env })
  const { url, key } = await nextMessage<{ url: string; key?: string }>(child)
  return {
    url: new URL(url),
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    async write(work) {
      child.send(work)
      await nextMessage(child)
    },
    async readMegabytes() {
      child.send('memory')
      return (await nextMessage<{ megabytes: number }>(child)).megabytes
    },
    stop: () => child.kill('SIGTERM'),
  }
}

function nextMessage<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`The server ended with ${code}`))
    child.once('exit', onExit)
    child.once('message', (message) => {
      child.off('exit', onExit)
      resolve(message as T)
    })
  })
}
