import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createTempDatabase } from '../src/store/contract/temp-store.ts'
import { crashStores } from './setup/crash-stores.ts'

const program = path.join(import.meta.dirname, 'fixtures/group-node.ts')

/** What a node does with groups of each kind: make so many, or continue them. */
interface Task {
  make?: Record<string, number>
  hangIn?: string
  pauseIn?: string
  saysContinued?: boolean
}

interface Line {
  kind: string
  groupId: string
  attempt: number
  outputs: unknown[]
  turn: unknown
}

/** Nodes that share a store and the file where they write what they continue. */
async function createScene(store: 'embedded' | 'postgres') {
  const folder = await mkdtemp(path.join(tmpdir(), 'toolcrib groups '))
  const database = store === 'embedded' ? undefined : await createTempDatabase()
  const file = path.join(folder, 'lines')
  const running: ChildProcess[] = []
  return {
    database: database?.url,
    /** Starts a node; resolves once it has printed so many lines, where it is to. */
    async start(task: Task, lines = 1): Promise<ChildProcess> {
      const settings = { ...task, data: path.join(folder, 'data'), file, database: database?.url }
      const child = spawn(process.execPath, [program, JSON.stringify(settings)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      running.push(child)
      let seen = 0
      for await (const _ of createInterface({ input: child.stdout })) {
        seen += 1
        if (seen === lines) return child
      }
      throw new Error(`the node ended in ${JSON.stringify(task)}`)
    },
    async readLines(): Promise<Line[]> {
      const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '')
      return lines.map((line) => JSON.parse(line) as Line)
    },
    async close() {
      await Promise.all(running.map(kill))
      await database?.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}

const rest = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const abc = [{ id: 'a' }, { id: 'b' }, { id: 'c' }]

describe.each(crashStores('embedded'))('groups after kill -9 on the %s store', (store) => {
  let lines: Line[]
  const linesOf = (kind: string) => lines.filter((line) => line.kind === kind)
  beforeAll(async () => {
    const scene = await createScene(store)
    try {
      // Five groups have settled, one more will be hung in, and one is waited for.
      await kill(await scene.start({ make: { settled: 5, hung: 1, waited: 1 } }))
      // It continues the five and the one that was waited for, and hangs in its first try of the other.
      const second = await scene.start({ hangIn: 'hung', saysContinued: true }, 7 + 6)
      await kill(second)
      await scene.start({})
      const isFollowed = async () =>
        (await scene.readLines()).some(({ kind, attempt }) => kind === 'hung' && attempt === 2)
      await vi.waitUntil(isFollowed, { timeout: 60_000 })
      // Long enough to continue again what is not marked as continued.
      await rest(3500)
      lines = await scene.readLines()
    } finally {
      await scene.close()
    }
  })

  test('a node that died between settling and continuing leaves every group to the next, once', () => {
    const settled = linesOf('settled')
    expect(settled.map(({ attempt, outputs, turn }) => ({ attempt, outputs, turn }))).toEqual(
      Array.from({ length: 5 }, () => ({ attempt: 1, outputs: abc, turn: { turn: 7 } })),
    )
    expect(new Set(settled.map(({ groupId }) => groupId)).size).toBe(5)
  })

  test('a node that died in a continuation is followed by one that knows it is the second', () => {
    expect(linesOf('hung').map(({ attempt, outputs }) => [attempt, outputs])).toEqual([
      [1, abc],
      [2, abc],
    ])
  })

  test('a node that died while it waited is continued by its kind, with what the deadline left', () => {
    expect(linesOf('waited').map(({ attempt, outputs }) => [attempt, outputs])).toEqual([
      [2, [...abc, 'timeout']],
    ])
  })
})

test('a node that was stopped past its lease and wakes up marks nothing', async () => {
  const scene = await createScene('postgres')
  onTestFinished(scene.close)
  await kill(await scene.start({ make: { settled: 1 } }))
  const stalled = await scene.start({ pauseIn: 'settled' })
  stalled.kill('SIGSTOP')
  await scene.start({})
  const attempts = async () => (await scene.readLines()).map(({ attempt }) => attempt)
  await expect.poll(attempts).toEqual([1, 2])
  await rest(500)
  stalled.kill('SIGCONT')
  // Long enough for it to come to its end, which it had before it.
  await rest(2500)
  expect((await scene.readLines()).map(({ attempt }) => attempt)).toEqual([1, 2])
  const client = new pg.Client({ connectionString: scene.database })
  await client.connect()
  const { rows } = await client.query(`select g.attempt, g.continued_ms is not null as continued,
    (select array_agg(types order by last_seq) from events e where e.stream = g.id) as told
    from groups g`)
  await client.end()
  const told = ['group.sealed', 'group.settled', 'group.continued']
  expect(rows).toEqual([{ attempt: 2, continued: true, told }])
})
