import { execFile } from 'node:child_process'
import { readFile } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Crib } from '../../src/app/index.ts'
import { benchTool, sampleInput, withCrib } from '../fixtures.ts'
import { type Figure, median, type Pace, percentile } from '../measure.ts'
import { atMost, compared } from './judge.ts'
import { callEvery } from './others.ts'

const readBare = promisify(readFile)
const grepBare = promisify(execFile)
const sessionId = 'bench'

/** Files of a workspace through the whole pipeline: reading one, and searching 5 MB of them. */
export async function measureFiles(pace: Pace): Promise<Figure[]> {
  return withCrib({ config: {}, tools: [benchTool('bench.add')] }, async (crib, data) => {
    await completed(crib, 'file.write', { path: 'a.txt', content: textOf(10_240), overwrite: true })
    const folder = await findWorkspace(data)
    return [...(await measureRead(crib, folder, pace)), ...(await measureGrep(crib, folder, pace))]
  })
}

/** One call at a time: what one caller waits for. */
async function measureRead(crib: Crib, folder: string, { isBrief }: Pace): Promise<Figure[]> {
  const [rounds, calls] = isBrief ? [2, 50] : [15, 400]
  const file = path.join(folder, 'a.txt')
  const input = { path: 'a.txt', encoding: null, offset: null, limit: null, tail: null }
  const works = {
    bare: () => readBare(file, 'utf8'),
    trivial: () => completed(crib, 'bench.add', sampleInput),
    read: () => completed(crib, 'file.read', input),
  }
  const times: Record<keyof typeof works, number[]> = { bare: [], trivial: [], read: [] }
  // The first rounds compile the code.
  for (let round = -3; round < rounds; round += 1) {
    for (const [kind, work] of Object.entries(works) as [
      keyof typeof works,
      () => Promise<unknown>,
    ][]) {
      const micros = await medianMicros(calls, work)
      if (round >= 0) times[kind].push(micros)
    }
  }
  const [bare, trivial, read] = [times.bare, times.trivial, times.read].map(median) as [
    number,
    number,
    number,
  ]
  const unit = 'µs more'
  return [
    {
      name: 'file.read of 10 KB, one at a time',
      value: read - bare,
      unit,
      bare,
      ...atMost(120, read - bare),
    },
    { name: 'a tool that does nothing, one at a time', value: trivial, unit: 'µs' },
  ]
}

async function medianMicros(count: number, work: () => Promise<unknown>): Promise<number> {
  const all: number[] = []
  for (let at = 0; at < count; at += 1) {
    const startedAt = performance.now()
    await work()
    all.push((performance.now() - startedAt) * 1000)
  }
  return median(all)
}

const patterns = ['needle', String.raw`\bneedle-\d+\b`, '(?i)NEEDLE', '[a-z]+ needle']

/** While it is searched, another call begins every 5 ms. The slowest pattern counts. */
async function measureGrep(crib: Crib, folder: string, { isBrief }: Pace): Promise<Figure[]> {
  await writeTree(path.join(folder, 'src'), 100)
  const rounds = isBrief ? 1 : 7
  const ours: number[] = []
  const bare: number[] = []
  const waits: number[] = []
  const idle = await callEvery(crib, 5, () => new Promise((resolve) => setTimeout(resolve, 500)))
  for (const pattern of patterns) {
    const times: { ours: number[]; bare: number[] } = { ours: [], bare: [] }
    for (let round = -1; round < rounds; round += 1) {
      const search = { pattern, path: null, files: null, ignoreCase: false, limit: 500 }
      const others = await callEvery(crib, 5, () => completed(crib, 'file.grep', search))
      const startedAt = performance.now()
      await grepBare('grep', ['-rnP', pattern, folder]).catch(() => undefined)
      if (round < 0) continue
      times.bare.push(performance.now() - startedAt)
      times.ours.push(others.ms)
      waits.push(...others.waits)
    }
    ours.push(median(times.ours))
    bare.push(median(times.bare))
  }
  const slowest = ours.indexOf(Math.max(...ours))
  const value = ours[slowest] ?? Number.NaN
  const longest = percentile(waits, 0.99)
  return [
    {
      name: 'file.grep over 5 MB, slowest of four patterns',
      unit: 'ms',
      ...compared(value, bare[slowest] ?? Number.NaN),
      ...atMost(500, value),
    },
    {
      name: 'another call while it searches, p99',
      value: longest,
      unit: 'ms',
      bare: percentile(idle.waits, 0.99),
      ...atMost(50, longest),
    },
  ]
}

/** 5 MB in so many files, as source code is: lines of ordinary length, a match in few of them. */
async function writeTree(folder: string, files: number): Promise<void> {
  const text = textOf(52_429)
  for (let at = 0; at < files; at += 1) {
    const place = path.join(folder, `part-${at % 10}`)
    await mkdir(place, { recursive: true })
    await writeFile(path.join(place, `file-${at}.txt`), `${text}a needle-${at} here\n`)
  }
}

function textOf(bytes: number): string {
  const line = 'export const answer = computeAnswer(question, { depth: 42, isWhole: true })\n'
  return line
    .repeat(Math.ceil(bytes / line.length))
    .slice(0, bytes - 1)
    .concat('\n')
}

async function findWorkspace(data: string): Promise<string> {
  const place = path.join(data, 'workspaces')
  const id = (await readdir(place)).find((name) => name.startsWith('ws_'))
  return path.join(place, id ?? 'missing', 'files')
}

async function completed(crib: Crib, tool: string, input: object): Promise<unknown> {
  const { status, error, output } = await crib.call(tool, input, { sessionId })
  if (status !== 'completed') throw new Error(JSON.stringify(error))
  return output
}
