import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTempDatabase } from '../src/store/contract/temp-store.ts'

const program = path.join(import.meta.dirname, 'fixtures/group-node.ts')

let folder: string
let database: string | undefined
let nodes: ChildProcess[] = []

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'toolcrib groups '))
})
afterEach(async () => {
  await Promise.all(nodes.map(kill))
  nodes = []
  await rm(folder, { recursive: true, force: true })
})

type Mode = 'make' | 'wait' | 'hang' | 'slow' | 'continue'

/** Starts a node; resolves once it has printed a line, where it is to. */
async function start(mode: Mode, more: { groups?: number; lines?: number } = {}) {
  const { groups, lines = 1 } = more
  const node = { data: path.join(folder, 'data'), file: path.join(folder, 'lines'), database }
  const child = spawn(process.execPath, [program, JSON.stringify({ mode, groups, ...node })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  nodes.push(child)
  if (lines === 0) return child
  let seen = 0
  for await (const _ of createInterface({ input: child.stdout })) {
    seen += 1
    if (seen === lines) return child
  }
  throw new Error(`the node ended in ${mode}`)
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}

interface Line {
  groupId: string
  attempt: number
  outputs: unknown[]
  turn: unknown
}

async function readLines(): Promise<Line[]> {
  const text = await readFile(path.join(folder, 'lines'), 'utf8')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
}

const rest = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const abc = [{ id: 'a' }, { id: 'b' }, { id: 'c' }]

describe.each(['embedded', 'postgres'] as const)(
  'groups after kill -9 on the %s store',
  (store) => {
    beforeEach(async () => {
      database = store === 'embedded' ? undefined : (await createTempDatabase()).url
    })

    test('a node that died between settling and continuing leaves every group to the next, once', async () => {
      const maker = await start('make', { groups: 5 })
      await kill(maker)
      const next = await start('continue', { lines: 5 })
      await rest(1500)
      await kill(next)
      await start('continue', { lines: 0 })
      await rest(2500)
      const lines = await readLines()
      expect(lines.map(({ attempt, outputs, turn }) => ({ attempt, outputs, turn }))).toEqual(
        Array.from({ length: 5 }, () => ({ attempt: 1, outputs: abc, turn: { turn: 7 } })),
      )
      expect(new Set(lines.map(({ groupId }) => groupId)).size).toBe(5)
    })

    test('a node that died in a continuation is followed by one that knows it is the second', async () => {
      const maker = await start('make')
      await kill(maker)
      await kill(await start('hang'))
      await start('continue')
      expect((await readLines()).map(({ attempt, outputs }) => [attempt, outputs])).toEqual([
        [1, abc],
        [2, abc],
      ])
    })

    test('a node that died while it waited is continued by its kind, with what the deadline left', async () => {
      await kill(await start('wait'))
      await start('continue')
      const [line, ...more] = await readLines()
      expect([line?.attempt, line?.outputs, more]).toEqual([2, [...abc, 'timeout'], []])
    })
  },
)

test('a node that was stopped past its lease and wakes up marks nothing', async () => {
  const { url } = await createTempDatabase()
  database = url
  await kill(await start('make'))
  const stalled = await start('slow')
  stalled.kill('SIGSTOP')
  await start('continue')
  await rest(500)
  stalled.kill('SIGCONT')
  // Long enough for it to come to its end, which it had before it.
  await rest(2500)
  expect((await readLines()).map(({ attempt }) => attempt)).toEqual([1, 2])
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(`select g.attempt, g.continued_ms is not null as continued,
    (select array_agg(types order by last_seq) from events e where e.stream = g.id) as told
    from groups g`)
  await client.end()
  const told = ['group.sealed', 'group.settled', 'group.continued']
  expect(rows).toEqual([{ attempt: 2, continued: true, told }])
})
