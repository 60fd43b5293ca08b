import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createChaosClient, type ChaosClient } from './chaos-client.ts'
import { checkEvidence } from './check-evidence.ts'
import { listCalls, readCalls, readEvents, readJournal } from './collect-evidence.ts'
import type { Evidence, Violation } from './evidence.ts'
import { type Fault, type Fleet, injectFaults, planFaults } from './faults.ts'
import { type FeedReader, followFeed } from './follow-feed.ts'
import { followStream } from './follow-stream.ts'
import { createLedger, type Ledger } from './ledger.ts'
import type { Load } from './loads/load.ts'
import { chooseLoads, runLoads } from './loads/run-loads.ts'
import { openFleet } from './open-fleet.ts'
import { createRandom, type Random } from './random.ts'
import { awaitQuiet, heal } from './settle-down.ts'
import { toolTraits } from './tool-traits.ts'

export interface ChaosOptions {
  seed: number
  /** How long the load and the faults last. */
  seconds: number
  /** Where the journal, the ledger and the logs go. */
  folder: string
  /** A silent node's calls are taken from it after so long. */
  leaseMs?: number
  onFault?: (fault: Fault) => void
}

/** What came of a run. */
export interface ChaosReport {
  violations: Violation[]
  /** What was offered and therefore tried. */
  loads: string[]
  faults: readonly Fault[]
  failedFaults: string[]
  counts: Record<string, number>
  quietAfterMs: number
}

const nodeCount = 3
const clientCount = 16

/** One run: a fleet, a load, faults, then quiet, and at last the checker's word on what is left. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { seed, folder, leaseMs = 2000 } = options
  await mkdir(folder, { recursive: true })
  const random = createRandom(seed)
  const limits = { nodeTimeoutMs: leaseMs, drainMs: 2000 }
  await writeFile(path.join(folder, 'toolcrib.config.yaml'), JSON.stringify({ limits }))
  const run = await openRun(options, random)
  try {
    const plan = planFaults(random.fork('faults'), {
      lastsMs: options.seconds * 1000,
      nodes: nodeCount,
      leaseMs,
      everyMs: 1000,
    })
    const running = startLoads(run)
    const runs = await injectFaults(plan, run.fleet, options.onFault ?? (() => undefined))
    await heal(run.fleet)
    await running.stop()
    const quietAfterMs = await awaitQuiet(run.fleet, leaseMs * 4 + 20_000)
    const evidence = await collect(run)
    await writeFile(path.join(folder, 'evidence.json'), JSON.stringify(evidence))
    return {
      violations: checkEvidence(evidence),
      loads: run.loads.map(({ name }) => name),
      faults: plan,
      failedFaults: runs.flatMap(({ fault, error }) =>
        error ? [`${fault.kind}: ${error.message}`] : [],
      ),
      counts: countAll(evidence),
      quietAfterMs,
    }
  } finally {
    await run.close()
  }
}

interface Run {
  fleet: Fleet
  key: string
  random: Random
  ledger: Ledger
  feed: FeedReader
  stream: FeedReader
  loads: Load[]
  journal: string
  handedOver: string
  createClient(name: string): ChaosClient
  close(): Promise<void>
}

async function openRun({ folder }: ChaosOptions, random: Random): Promise<Run> {
  const journal = path.join(folder, 'journal.jsonl')
  const handedOver = path.join(folder, 'handed-over.jsonl')
  const fleet = await openFleet({
    folder,
    nodes: nodeCount,
    tools: path.join(import.meta.dirname, 'chaos-tools'),
    env: {
      CHAOS_JOURNAL: journal,
      CHAOS_HANDED_OVER: handedOver,
      TOOLCRIB_MASTER_KEY: randomBytes(32).toString('base64url'),
    },
  })
  const ledger = createLedger(path.join(folder, 'ledger.jsonl'))
  const { key, nodes } = fleet
  const createClient = (name: string) =>
    createChaosClient({ nodes, key, random: random.fork(`client ${name}`) })
  const openapi = await createClient('looker').send({ path: '/openapi.json' })
  return {
    fleet,
    key,
    random,
    ledger,
    feed: followFeed(createClient('feed')),
    stream: followStream(createClient('stream')),
    loads: chooseLoads(openapi.body as { paths: Record<string, unknown> }),
    journal,
    handedOver,
    createClient,
    async close() {
      await fleet.close()
      await ledger.close()
    },
  }
}

function startLoads(run: Run) {
  return runLoads({
    loads: run.loads,
    clients: clientCount,
    thinkMs: 40,
    createContext(name) {
      let operations = 0
      return {
        client: run.createClient(name),
        ledger: run.ledger,
        random: run.random.fork(`load ${name}`),
        nextOperation: () => `${name}-${++operations}`,
        handedOver: run.handedOver,
      }
    },
  })
}

async function collect(run: Run): Promise<Evidence> {
  const { postgres } = run.fleet
  const listed = await listCalls(run.createClient('lister'), run.ledger)
  await Promise.all([run.feed.finish(), run.stream.finish()])
  return {
    answers: run.ledger.answers,
    effects: await readJournal(run.journal),
    calls: await readCalls(postgres),
    events: await readEvents(postgres),
    followed: run.feed.followed,
    streamed: run.stream.followed,
    listed,
    groups: [],
    tools: toolTraits,
  }
}

/** What a reader wants to know of a run: how much was done, and how it ended. */
function countAll({ answers, effects, calls, events }: Evidence): Record<string, number> {
  const ends = calls.map(({ status, error }) =>
    error === undefined ? status : `${status} ${error.code}`,
  )
  const replies = answers.map(({ http }) => `answer ${http ?? 'none'}`)
  const counts: Record<string, number> = { events: events.length, effects: effects.length }
  for (const name of [...ends, ...replies].toSorted()) counts[name] = (counts[name] ?? 0) + 1
  return counts
}
