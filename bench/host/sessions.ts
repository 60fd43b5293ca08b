import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Figure, median, type Pace, percentile, skipped } from '../measure.ts'
import { readyUrl } from '../start.ts'
import { atMost, compared } from './judge.ts'
import { findNoSandbox } from './no-sandbox.ts'
import { familyOf, residentMb, untilAllGone } from './process-family.ts'
import { type SessionServer, workInSession } from './session-work.ts'

const root = path.join(import.meta.dirname, '../..')
const span = { sessions: 50, seconds: 30 }
const briefSpan = { sessions: 5, seconds: 3 }
const askEveryMs = 100

const names = {
  health: 'GET /readyz meanwhile, p95',
  slowest: 'turns of the slowest session, against the median',
  memory: 'memory of the server, most',
  gone: 'all their processes gone after SIGTERM',
  ended: 'the server itself ended after SIGTERM',
}

/** A real server, and sessions that each work in a shell of their own at the same time. */
export async function measureSessions({ isBrief }: Pace): Promise<Figure[]> {
  const { sessions, seconds } = isBrief ? briefSpan : span
  const named = (name: string) => `${sessions} sessions with a shell each: ${name}`
  const reason = await findNoSandbox()
  if (reason !== undefined) {
    return Object.values(names).map((name) => skipped(named(name), reason))
  }
  return withServer(async (server, child) => {
    const until = performance.now() + seconds * 1000
    const watching = watch(server, child, until)
    const ids = Array.from({ length: sessions }, (_, at) => `bench-${at}`)
    const turns = await Promise.all(ids.map((id) => workInSession(server, id, until)))
    const { waits, mb } = await watching
    const { goneMs, endedMs } = await stop(child)
    const p95 = percentile(waits, 0.95)
    const fair = Math.min(...turns) / median(turns)
    const ms = { unit: 'ms' }
    return [
      { name: named(names.health), ...ms, value: p95, ...atMost(1000, p95) },
      {
        name: named(names.slowest),
        ...compared(Math.min(...turns), median(turns)),
        unit: 'turns',
        goal: '≥ 50 %',
        kept: fair >= 0.5,
        off: 0.5 / fair,
      },
      { name: named(names.memory), unit: 'MB', value: mb, ...atMost(600, mb) },
      { name: named(names.gone), ...ms, value: goneMs, ...atMost(1000, goneMs) },
      { name: named(names.ended), ...ms, value: endedMs },
    ]
  })
}

async function withServer<T>(
  work: (server: SessionServer, child: ChildProcess) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'toolcrib-bench-'))
  // The user of the sandbox passes through it.
  await chmod(folder, 0o711)
  const config = { packs: { shell: true, process: true }, tools: [] }
  await writeFile(path.join(folder, 'toolcrib.config.json'), JSON.stringify(config))
  const data = path.join(folder, 'data')
  const args = ['start', '--json', '--port', '0', '--data', data]
  const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit']
  const child = spawn(path.join(root, 'bin/toolcrib'), args, { cwd: folder, stdio })
  try {
    await readyUrl(child)
    // PGlite takes most memory in its first seconds, when V8 optimises it.
    await new Promise((resolve) => setTimeout(resolve, 3000))
    const text = await readFile(path.join(data, 'server.json'), 'utf8')
    return await work(JSON.parse(text) as SessionServer, child)
  } finally {
    await stop(child)
    await rm(folder, { recursive: true, force: true })
  }
}

/** Asks for the health of the server all the while, and looks at its memory. */
async function watch(
  { url }: SessionServer,
  child: ChildProcess,
  until: number,
): Promise<{ waits: number[]; mb: number }> {
  const waits: number[] = []
  let mb = 0
  while (performance.now() < until) {
    const startedAt = performance.now()
    const response = await fetch(`${url}/readyz`)
    await response.text()
    if (!response.ok) throw new Error(`/readyz answered ${response.status}`)
    waits.push(performance.now() - startedAt)
    mb = Math.max(mb, await residentMb(child.pid ?? 0))
    await new Promise((resolve) => setTimeout(resolve, askEveryMs))
  }
  return { waits, mb }
}

/** Milliseconds from the signal until everything that the server has started, and the server itself, are gone. */
async function stop(child: ChildProcess): Promise<{ goneMs: number; endedMs: number }> {
  if (child.exitCode !== null || child.signalCode !== null) return { goneMs: 0, endedMs: 0 }
  const family = await familyOf(child.pid ?? 0)
  const startedAt = performance.now()
  child.kill('SIGTERM')
  await untilAllGone(family.filter(({ pid }) => pid !== child.pid))
  const goneMs = performance.now() - startedAt
  await untilAllGone(family)
  return { goneMs, endedMs: performance.now() - startedAt }
}
