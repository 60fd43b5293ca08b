import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { Agent, fetch } from 'undici'
import type { Crib } from '../../src/app/index.ts'
import { benchTool, withCrib } from '../fixtures.ts'
import { type Figure, median, type Pace, percentile } from '../measure.ts'
import { atMost, atMostTimes, compared } from './judge.ts'
import { callEvery } from './others.ts'

interface PageServer {
  url: string
  /** The paths of its hostile pages. */
  hostile: string[]
}

/** Pages of a local server through `web.fetch`, against undici alone. */
export async function measurePages(pace: Pace): Promise<Figure[]> {
  const child = fork(path.join(import.meta.dirname, 'page-server.ts'))
  const agent = new Agent()
  try {
    const server = await firstMessage(child)
    const config = { network: { addresses: ['127.0.0.1'] } }
    return await withCrib({ config, tools: [benchTool('bench.add')] }, async (crib) => [
      ...(await measureFetch(crib, { ...server, agent }, pace)),
      ...(await measureHostile(crib, { ...server, agent }, pace)),
    ])
  } finally {
    await agent.close()
    child.disconnect()
    await once(child, 'exit')
  }
}

interface Source extends PageServer {
  agent: Agent
}

/** A page that the server has at once, and one that it takes 50 ms for, as one far away does. */
async function measureFetch(crib: Crib, source: Source, { isBrief }: Pace): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const place of ['near', 'far']) {
    const [rounds, calls] = isBrief ? [1, 3] : [7, place === 'near' ? 50 : 10]
    const times: Record<'bare' | 'raw' | 'page', number[]> = { bare: [], raw: [], page: [] }
    const url = `${source.url}/${place}`
    for (let round = -1; round < rounds; round += 1) {
      const bare = await medianOf(calls, () => fetchBare(url, source.agent))
      const raw = await medianOf(calls, () => fetchPage(crib, url, 'raw'))
      const page = await medianOf(calls, () => fetchPage(crib, url, 'markdown'))
      if (round < 0) continue
      times.bare.push(bare)
      times.raw.push(raw)
      times.page.push(page)
    }
    const bare = median(times.bare)
    const row = (kind: 'raw' | 'page', name: string): Figure => {
      const value = median(times[kind])
      const goal = place === 'far' ? atMostTimes(1.2, { value, bare }) : {}
      return { name: `web.fetch ${name}`, unit: 'ms', ...compared(value, bare), ...goal }
    }
    const where = place === 'far' ? 'of a server that answers after 50 ms' : 'of this machine'
    figures.push(
      row('raw', `of a page ${where}, as it is`),
      row('page', `of a page ${where}, as Markdown`),
    )
  }
  return figures
}

/** Each kind of hostile page, while other calls go on; the slowest counts. */
async function measureHostile(crib: Crib, source: Source, { isBrief }: Pace): Promise<Figure[]> {
  const rounds = isBrief ? 1 : 5
  const kinds: { path: string; ours: number; bare: number }[] = []
  const waits: number[] = []
  for (const path of source.hostile) {
    const url = `${source.url}${path}`
    const ours: number[] = []
    const bare: number[] = []
    for (let round = -1; round < rounds; round += 1) {
      const bareMs = await medianOf(1, () => fetchBare(url, source.agent))
      const others = await callEvery(crib, 5, () => fetchHostile(crib, url))
      if (round < 0) continue
      bare.push(bareMs)
      ours.push(others.ms)
      waits.push(...others.waits)
    }
    kinds.push({ path, ours: median(ours), bare: median(bare) })
  }
  const worst = kinds.reduce((most, kind) => (kind.ours > most.ours ? kind : most))
  const name = `web.fetch of 5 MB, slowest of ${kinds.length} hostile pages (${worst.path})`
  const longest = percentile(waits, 0.99)
  return [
    { name, unit: 'ms', ...compared(worst.ours, worst.bare), ...atMost(1000, worst.ours) },
    {
      name: 'another call while such pages are read, p99',
      unit: 'ms',
      value: longest,
      ...atMost(50, longest),
    },
  ]
}

async function fetchBare(url: string, agent: Agent): Promise<void> {
  const response = await fetch(url, { dispatcher: agent })
  const text = await response.text()
  if (!response.ok || text === '') throw new Error(`${url} answered ${response.status}`)
}

async function fetchPage(crib: Crib, url: string, format: 'raw' | 'markdown'): Promise<void> {
  const input = { url, format, maxChars: null, offset: null }
  const { status, error } = await crib.call('web.fetch', input)
  if (status !== 'completed') throw new Error(`${url}: ${JSON.stringify(error)}`)
}

/** A page may be refused as too heavy: that takes its time as well. */
async function fetchHostile(crib: Crib, url: string): Promise<void> {
  const input = { url, format: null, maxChars: null, offset: null }
  const { status, error } = await crib.call('web.fetch', input)
  if (status === 'completed' || error?.code === 'upstream_failed') return
  throw new Error(`${url}: ${JSON.stringify(error)}`)
}

async function medianOf(count: number, work: () => Promise<void>): Promise<number> {
  const all: number[] = []
  for (let at = 0; at < count; at += 1) {
    const startedAt = performance.now()
    await work()
    all.push(performance.now() - startedAt)
  }
  return median(all)
}

async function firstMessage(child: ChildProcess): Promise<PageServer> {
  const [message] = await once(child, 'message')
  return message as PageServer
}
