import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { type Crib, defineTool, z } from '../../src/app/index.ts'
import { withCrib } from '../fixtures.ts'
import { type Figure, median, type Pace, skipped } from '../measure.ts'
import { atMostTimes, compared } from './judge.ts'
import { findNoSandbox } from './no-sandbox.ts'
import { command, plainSpawn } from './plain-spawn.ts'

const usualRounds = 15
const shortRounds = 3
/** The next box of a session is prepared after its command; it is there after this time. */
const preparedMs = 400

const names = {
  first: 'a command in a new box',
  prepared: 'a command in a prepared box',
  busy: 'commands one right after another',
  call: 'shell.exec, whole call, prepared box',
  inServer: 'a plain spawn of the server itself',
}

type Kind = keyof typeof names
type Times = Record<Kind | 'bare', number[]>

/**
 * A command in the sandbox against `bash -c` without one, in turns. The bare one starts from a small
 * process: the larger a process, the longer the kernel takes to fork it.
 */
export async function measureCommands({ isBrief }: Pace): Promise<Figure[]> {
  const reason = await findNoSandbox()
  if (reason !== undefined) return Object.values(names).map((name) => skipped(name, reason))
  const spawner = fork(path.join(import.meta.dirname, 'spawner.ts'))
  try {
    await once(spawner, 'message')
    const options = { config: { packs: { shell: true } }, tools: [timedRun] }
    return await withCrib(options, async (crib) => {
      // The first round verifies the sandbox and compiles the code.
      await measureRound(crib, spawner)
      const rounds: Times[] = []
      for (let at = 0; at < (isBrief ? shortRounds : usualRounds); at += 1) {
        rounds.push(await measureRound(crib, spawner))
      }
      return toFigures((kind) => median(rounds.flatMap((times) => times[kind])))
    })
  } finally {
    spawner.disconnect()
    await once(spawner, 'exit')
  }
}

async function measureRound(crib: Crib, spawner: ChildProcess): Promise<Times> {
  const sessionId = crypto.randomUUID()
  // A box that starts for the next command takes a processor from what is measured.
  const quiet = <T>(work: () => Promise<T>) => pause(preparedMs).then(work)
  const bare = [await quiet(() => askSpawner(spawner))]
  const first = [await quiet(() => runIn(crib, sessionId))]
  const busy = [await runIn(crib, sessionId)]
  const prepared = [await quiet(() => runIn(crib, sessionId))]
  bare.push(await quiet(() => askSpawner(spawner)))
  const call = [await quiet(() => timeOf(() => callShell(crib, sessionId)))]
  const inServer = [await quiet(plainSpawn)]
  return { bare, first, busy, prepared, call, inServer }
}

function toFigures(value: (kind: keyof Times) => number): Figure[] {
  const bare = value('bare')
  const row = (kind: Kind, most?: number): Figure => {
    const figures = compared(value(kind), bare)
    const goal = most === undefined ? {} : atMostTimes(most, { value: value(kind), bare })
    return { name: names[kind], unit: 'ms', ...figures, ...goal }
  }
  return [row('first', 6), row('prepared', 2), row('busy'), row('call'), row('inServer')]
}

/** Times the command alone: the workspace is there, and the call is recorded outside. */
const timedRun = defineTool({
  name: 'bench.run',
  title: 'Run a command',
  description: 'Runs a command in the sandbox and measures how long that takes.',
  effect: 'read',
  inputSchema: z.object({}),
  outputSchema: z.object({ ms: z.number() }),
  async execute(_input, { processes, workspace }) {
    await workspace.stat('.')
    const ms = await timeOf(async () => {
      const { exitCode } = await processes.run({ command })
      if (exitCode !== 0) throw new Error(`The command ended with ${exitCode}`)
    })
    return { ms }
  },
})

async function runIn(crib: Crib, sessionId: string): Promise<number> {
  const result = await crib.call('bench.run', {}, { sessionId })
  if (result.status !== 'completed') throw new Error(JSON.stringify(result))
  return (result.output as { ms: number }).ms
}

async function callShell(crib: Crib, sessionId: string): Promise<void> {
  const input = { command, cwd: null, timeout: null }
  const { status, error } = await crib.call('shell.exec', input, { sessionId })
  if (status !== 'completed') throw new Error(JSON.stringify(error))
}

async function askSpawner(spawner: ChildProcess): Promise<number> {
  spawner.send('go')
  const [ms] = await once(spawner, 'message')
  return ms as number
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
