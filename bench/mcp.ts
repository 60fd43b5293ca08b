import { type ChildProcess, fork, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createDatabase } from './fixtures.ts'
import { type Era, type LoadResult, loadCalls, type McpTarget } from './mcp-load.ts'
import { briefSpan, type Figure, median, type Pace } from './measure.ts'

const span = { seconds: 3, rounds: 3, warmCalls: 15_000, warmMs: 8_000 }
const brief = { ...briefSpan, warmCalls: 1, warmMs: 1_000 }
const startsWithinMs = 30_000
const widths = [8, 32] as const
const eras = ['modern', 'legacy'] as const

interface Running extends McpTarget {
  /** Both, unless said. */
  eras?: readonly Era[]
  stop(): void
}

/** `tools/call` of a read with policy and record, beside tmcp and the SDK's McpServer on Hono; then a hop more. */
export async function benchMcp(databaseUrl: string, pace: Pace): Promise<Figure[]> {
  const direct = await benchDirect(databaseUrl, pace)
  return [...direct, ...(await benchGateway(pace))]
}

async function benchDirect(databaseUrl: string, pace: Pace): Promise<Figure[]> {
  const servers = {
    embedded: await startServer('crib'),
    shared: await startServer('crib', await createDatabase(databaseUrl)),
    tmcp: await startServer('tmcp'),
    sdk: await startServer('sdk'),
  }
  try {
    const results = await measure(servers, pace)
    return eras.flatMap((era) =>
      widths.flatMap((width) => {
        const of = (name: keyof typeof servers) => results.get(`${name} ${era} ${width}`) ?? nothing
        const at = `MCP tools/call, ${era}, ${width} at a time`
        const [embedded, shared, tmcp, sdk] = [of('embedded'), of('shared'), of('tmcp'), of('sdk')]
        return [
          beside(`${at}, PGlite, against tmcp`, embedded, { bare: tmcp, times: 1 }),
          beside(`${at}, PostgreSQL, against tmcp`, shared, { bare: tmcp, times: 1 }),
          beside(`${at}, PGlite, against McpServer on Hono`, embedded, { bare: sdk, times: 3 }),
          ...cpu(`${at}, CPU, PGlite against tmcp`, embedded, tmcp),
          ...cpu(`${at}, CPU, PostgreSQL against tmcp`, shared, tmcp),
        ]
      }),
    )
  } finally {
    for (const server of Object.values(servers)) server.stop()
  }
}

/** The same echo on stdio behind us and behind mcp-proxy. Left out, with a word, where there is no gateway; a brief run fails. */
async function benchGateway(pace: Pace): Promise<Figure[]> {
  const fixture = path.join(import.meta.dirname, 'mcp-echo.ts')
  const ours = { ...(await startServer('gateway', fixture)), tool: 'mcp_echo_bench_add' }
  try {
    if (!(await isOffered(ours))) {
      const word = 'mcp: the gateway does not offer the echo tool'
      if (pace.isBrief) throw new Error(word)
      process.stderr.write(`${word}; its hop is left out\n`)
      return []
    }
    // One line in, one line out: what the fixture and the load leave for any hop. It knows no sessions.
    const least = await startServer('relay', fixture)
    const proxy = await startProxy(fixture)
    try {
      const results = await measure({ ours, proxy, least: { ...least, eras: ['modern'] } }, pace)
      return eras.flatMap((era) =>
        widths.flatMap((width) => {
          const of = (name: string) => results.get(`${name} ${era} ${width}`) ?? nothing
          const at = `MCP gateway hop, ${era}, ${width} at a time`
          const hop = beside(`${at}, against mcp-proxy`, of('ours'), {
            bare: of('proxy'),
            // Today's era carries the record in the same round trip that mcp-proxy only forwards.
            times: era === 'modern' ? 2 : 3,
          })
          if (era === 'legacy') return [hop]
          const {
            goal: _goal,
            kept: _kept,
            off: _off,
            ...bound
          } = beside(`${at}, a relay that does nothing else, against mcp-proxy`, of('least'), {
            bare: of('proxy'),
            times: 3,
          })
          return [hop, bound, ...cpu(`${at}, CPU with the fixture's`, of('ours'), of('least'))]
        }),
      )
    } finally {
      proxy.stop()
      least.stop()
    }
  } finally {
    ours.stop()
  }
}

const nothing: LoadResult = { perSecond: NaN, cpuMicros: NaN }

/** In turns, so that a slow moment of the machine hits all alike. */
async function measure(
  servers: Record<string, Running>,
  { isBrief }: Pace,
): Promise<Map<string, LoadResult>> {
  const { seconds, rounds, ...warm } = isBrief ? brief : span
  const all = new Map<string, LoadResult[]>()
  for (const target of Object.values(servers)) {
    for (const era of target.eras ?? eras) await warmUp(target, { era, ...warm })
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, target, era, width } of turnsOf(servers)) {
      const result = await loadCalls(target, { era, width, seconds })
      const key = `${name} ${era} ${width}`
      all.set(key, [...(all.get(key) ?? []), result])
    }
  }
  return new Map([...all].map(([key, results]) => [key, middleOf(results)]))
}

function turnsOf(servers: Record<string, Running>) {
  return eras.flatMap((era) =>
    widths.flatMap((width) =>
      Object.entries(servers)
        .filter(([, target]) => target.eras?.includes(era) !== false)
        .map(([name, target]) => ({ name, target, era, width })),
    ),
  )
}

/** Until it is compiled, which the more there is of it takes longer; servers are asked for days after that. */
async function warmUp(
  target: McpTarget,
  { era, warmCalls, warmMs }: { era: Era; warmCalls: number; warmMs: number },
): Promise<void> {
  const until = Date.now() + warmMs
  for (let calls = 0; calls < warmCalls && Date.now() < until;) {
    calls += (await loadCalls(target, { era, width: 8, seconds: 1 })).perSecond
  }
}

function middleOf(results: readonly LoadResult[]): LoadResult {
  return {
    perSecond: median(results.map(({ perSecond }) => perSecond)),
    cpuMicros: median(results.map(({ cpuMicros }) => cpuMicros)),
  }
}

function beside(
  name: string,
  ours: LoadResult,
  { bare, times }: { bare: LoadResult; times: number },
): Figure {
  const ratio = ours.perSecond / bare.perSecond
  const goal = times === 1 ? '≥ 100 %' : `≥ ${times * 100} %`
  const figures = { value: ours.perSecond, bare: bare.perSecond, ratio }
  return { name, ...figures, unit: 'calls/s', goal, kept: ratio >= times, off: times / ratio }
}

/** None where the system does not tell it. */
function cpu(name: string, ours: LoadResult, bare: LoadResult): Figure[] {
  if (Number.isNaN(ours.cpuMicros) || Number.isNaN(bare.cpuMicros)) return []
  const ratio = ours.cpuMicros / bare.cpuMicros
  return [{ name, value: ours.cpuMicros, bare: bare.cpuMicros, ratio, unit: 'µs of CPU a call' }]
}

function startServer(kind: string, given?: string): Promise<Running> {
  const args = given === undefined ? [kind] : [kind, given]
  const child: ChildProcess = fork(path.join(import.meta.dirname, 'mcp-server.ts'), args)
  return new Promise((resolve, reject) => {
    const late = () => fail(new Error(`The ${kind} server did not start`))
    const timer = setTimeout(late, startsWithinMs)
    const fail = (error: Error) => {
      clearTimeout(timer)
      child.kill('SIGKILL')
      reject(error)
    }
    child.once('error', fail)
    child.once('exit', (code) => fail(new Error(`The ${kind} server ended with ${code}`)))
    child.once('message', (message) => {
      clearTimeout(timer)
      const { url, key } = message as { url: string; key?: string }
      const headers: Record<string, string> =
        key === undefined ? {} : { authorization: `Bearer ${key}` }
      const stop = () => void child.kill('SIGTERM')
      // One that fails to start must not leave the others holding this process; they end with it.
      child.unref()
      child.channel?.unref()
      resolve({ url, pid: child.pid ?? 0, headers, tool: 'bench_add', stop })
    })
  })
}

async function startProxy(fixture: string): Promise<Running> {
  const port = await freePort()
  const program = fileURLToPath(new URL('bin/mcp-proxy.mjs', import.meta.resolve('mcp-proxy')))
  const options = ['--port', String(port), '--host', '127.0.0.1', '--server', 'stream']
  const args = [program, ...options, '--', process.execPath, fixture]
  const child = spawn(process.execPath, args, { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}/mcp`
  const until = Date.now() + startsWithinMs
  while (Date.now() < until && !(await answers(url))) await sleep(100)
  const stop = () => void child.kill('SIGTERM')
  return { url, pid: child.pid ?? 0, headers: {}, tool: 'bench_add', stop }
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  )
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** A gateway connects in its own time; one that does not in a few seconds is not there. */
async function isOffered(target: McpTarget): Promise<boolean> {
  const until = Date.now() + 10_000
  while (Date.now() < until) {
    const result = await loadCalls(target, {
      era: 'modern' satisfies Era,
      width: 1,
      seconds: 1,
    }).then(
      () => true,
      () => false,
    )
    if (result) return true
    await sleep(250)
  }
  return false
}
