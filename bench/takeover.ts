import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createDatabase } from './fixtures.ts'
import { briefSpan, type Figure, median, type Pace } from './measure.ts'

const rounds = 3
/** The lease of a job, and what finding that it is over may take. */
const sharedGoalMs = 13_000
const embeddedGoalMs = 5000

/** How long a call that may be repeated lies still when the process that runs it is killed. */
export async function benchTakeover(databaseUrl: string, { isBrief }: Pace): Promise<Figure[]> {
  const times = isBrief ? briefSpan.rounds : rounds
  const shared: number[] = []
  const embedded: number[] = []
  for (let round = 0; round < times; round += 1) {
    shared.push(await killOneOfTwo(await createDatabase(databaseUrl)))
    embedded.push(await killAndRestart())
  }
  return [
    figure('a dead node’s call begins on another, PostgreSQL', median(shared), sharedGoalMs),
    figure('an embedded crib’s call begins after its restart', median(embedded), embeddedGoalMs),
  ]
}

function figure(name: string, value: number, goalMs: number): Figure {
  return { name, value, unit: 'ms', goal: `< ${goalMs} ms`, kept: value < goalMs }
}

async function killOneOfTwo(database: string): Promise<number> {
  return withFolder(async (folder) => {
    const victim = await startNode([path.join(folder, 'a'), database, 'victim'])
    const other = await startNode([path.join(folder, 'b'), database, 'heir'])
    try {
      // Whichever takes it: only the one that never ends counts.
      do victim.send('call')
      while ((await Promise.race([began(victim, 'victim'), began(other, 'heir')])) === 'heir')
      victim.kill('SIGKILL')
      const diedAt = performance.now()
      await began(other, 'heir')
      return performance.now() - diedAt
    } finally {
      await stop(victim)
      await stop(other)
    }
  })
}

async function killAndRestart(): Promise<number> {
  return withFolder(async (folder) => {
    const victim = await startNode([folder, '', 'victim'])
    victim.send('call')
    await began(victim, 'victim')
    victim.kill('SIGKILL')
    await once(victim, 'exit')
    const startedAt = performance.now()
    const heir = fork(program, [folder, '', 'heir'])
    try {
      await began(heir, 'heir')
      return performance.now() - startedAt
    } finally {
      await stop(heir)
    }
  })
}

const program = path.join(import.meta.dirname, 'takeover-node.ts')

async function startNode(args: string[]): Promise<ChildProcess> {
  const node = fork(program, args)
  await once(node, 'message')
  return node
}

function began<Role extends string>(node: ChildProcess, role: Role): Promise<Role> {
  return new Promise((resolve) => {
    const listen = (message: unknown) => {
      if (message !== 'began') return
      node.off('message', listen)
      resolve(role)
    }
    node.on('message', listen)
  })
}

async function stop(node: ChildProcess): Promise<void> {
  if (node.exitCode !== null || node.signalCode !== null) return
  node.kill('SIGKILL')
  await once(node, 'exit')
}

async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'toolcrib-bench-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
