import { type ChildProcess, fork } from 'node:child_process'
import path from 'node:path'
import autocannon from 'autocannon'
import { createDatabase, sampleInput } from './fixtures.ts'
import { briefSpan, type Figure, median, type Pace } from './measure.ts'

interface Server {
  url: string
  headers: Record<string, string>
  stop(): void
}

const span = { seconds: 4, rounds: 3 }

/**
 * A read call over HTTP against what a user would write instead: a bare Hono route that inserts one row
 * per request into the same kind of store and waits for it. The route without a record is reported, not judged.
 * Each server runs in its own process.
 */
export async function benchHttp(databaseUrl: string, { isBrief }: Pace): Promise<Figure[]> {
  const { seconds, rounds } = isBrief ? briefSpan : span
  const starts: Record<Kind, () => Promise<Server>> = {
    bare: () => startServer('bare'),
    embedded: () => startServer('crib'),
    recordingEmbedded: () => startServer('recording'),
    shared: async () => startServer('crib', await createDatabase(databaseUrl)),
    recordingShared: async () => startServer('recording', await createDatabase(databaseUrl)),
  }
  const servers: [Kind, Server][] = []
  try {
    for (const kind of kinds) servers.push([kind, await starts[kind]()])
    const rates = Object.fromEntries(kinds.map((kind) => [kind, [] as number[]])) as Rates
    for (const [, server] of servers) await load(server, 1)
    // In turns, so that a slow moment of the machine hits all alike.
    for (let round = 0; round < rounds; round += 1) {
      for (const [kind, server] of servers) rates[kind].push(await load(server, seconds))
    }
    return toFigures(rates)
  } finally {
    for (const [, server] of servers) server.stop()
  }
}

const kinds = ['bare', 'embedded', 'recordingEmbedded', 'shared', 'recordingShared'] as const
type Kind = (typeof kinds)[number]
type Rates = Record<Kind, number[]>

function toFigures(rates: Rates): Figure[] {
  const rate = (kind: Kind) => median(rates[kind])
  const embedded = 'read call over HTTP, PGlite'
  const shared = 'read call over HTTP, PostgreSQL'
  return [
    judged(embedded, { value: rate('embedded'), bare: rate('recordingEmbedded'), least: 2.5 }),
    judged(shared, { value: rate('shared'), bare: rate('recordingShared'), least: 1.1 }),
    compared(`${embedded}, against a route without a record`, rate('embedded'), rate('bare')),
    compared(`${shared}, against a route without a record`, rate('shared'), rate('bare')),
  ]
}

function judged(
  name: string,
  { value, bare, least }: { value: number; bare: number; least: number },
): Figure {
  const figure = compared(name, value, bare)
  const goal = `≥ ${Math.round(least * 100)} % of a route that inserts a row`
  return { ...figure, goal, kept: value / bare >= least }
}

function compared(name: string, value: number, bare: number): Figure {
  return { name, value, bare, ratio: value / bare, unit: 'requests/s' }
}

function startServer(kind: 'bare' | 'recording' | 'crib', databaseUrl?: string): Promise<Server> {
  const args = databaseUrl === undefined ? [kind] : [kind, databaseUrl]
  const child: ChildProcess = fork(path.join(import.meta.dirname, 'http-server.ts'), args)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`The ${kind} server ended with ${code}`)))
    child.once('message', (message) => {
      const { url, key } = message as { url: string; key?: string }
      const headers: Record<string, string> =
        key === undefined ? {} : { authorization: `Bearer ${key}` }
      resolve({ url, headers, stop: () => child.kill('SIGTERM') })
    })
  })
}

async function load(server: Server, duration: number): Promise<number> {
  const result = await autocannon({
    url: server.url,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...server.headers },
    body: JSON.stringify({ input: sampleInput }),
    connections: 32,
    duration,
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} bad answers, ${result.errors} errors`)
  return result.requests.average
}
