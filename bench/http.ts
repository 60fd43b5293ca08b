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

/** A read call over HTTP against a bare Hono route with the same JSON, each server in its own process. */
export async function benchHttp(databaseUrl: string, { isBrief }: Pace): Promise<Figure[]> {
  const { seconds, rounds } = isBrief ? briefSpan : span
  const bare = await startServer('bare')
  const embedded = await startServer('crib')
  const shared = await startServer('crib', await createDatabase(databaseUrl))
  try {
    const rates = { bare: [] as number[], embedded: [] as number[], shared: [] as number[] }
    for (const server of [bare, embedded, shared]) await load(server, 1)
    // In turns, so that a slow moment of the machine hits all alike.
    for (let round = 0; round < rounds; round += 1) {
      rates.bare.push(await load(bare, seconds))
      rates.embedded.push(await load(embedded, seconds))
      rates.shared.push(await load(shared, seconds))
    }
    return [
      figure('read call over HTTP, PGlite', median(rates.embedded), median(rates.bare)),
      figure('read call over HTTP, PostgreSQL', median(rates.shared), median(rates.bare)),
    ]
  } finally {
    for (const server of [bare, embedded, shared]) server.stop()
  }
}

function figure(name: string, value: number, bare: number): Figure {
  const ratio = value / bare
  return {
    name,
    value,
    bare,
    ratio,
    unit: 'requests/s',
    goal: '≥ 60 % of bare',
    kept: ratio >= 0.6,
  }
}

function startServer(kind: 'bare' | 'crib', databaseUrl?: string): Promise<Server> {
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
