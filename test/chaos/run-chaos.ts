import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createChaosClient, type ChaosClient } from './chaos-client.ts'
import { checkEvidence } from './check-evidence.ts'
import {
  listCalls,
  readCalls,
  readEvents,
  readGroups,
  readJournal,
  readScheduleRuns,
} from './collect-evidence.ts'
import { countAll } from './count-all.ts'
import type { EffectLine, Evidence, Violation } from './evidence.ts'
import { type Fault, type Fleet, injectFaults, planFaults } from './faults.ts'
import { type FeedReader, followFeed } from './follow-feed.ts'
import { followStream } from './follow-stream.ts'
import type { GroupLine } from './groups/group-journal.ts'
import { toGroupFacts } from './groups/to-group-facts.ts'
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
  leaseMs: number
  /** Kinds of load that are left out. */
  without?: readonly string[]
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

const servers = 3
const libraries = 2
const clientCount = 16

/** One run: a fleet, a load, faults, then quiet, and at last the checker's word on what is left. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { seed, folder, leaseMs } = options
  await mkdir(folder, { recursive: true })
  const random = createRandom(seed)
  const limits = { nodeTimeoutMs: leaseMs, drainMs: 2000 }
  await writeFile(path.join(folder, 'toolcrib.config.yaml'), JSON.stringify({ limits }))
  const run = await openRun(options, random)
  try {
    const plan = planFaults(random.fork('faults'), {
      lastsMs: options.seconds * 1000,
      nodes: servers + libraries,
      leaseMs,
      everyMs: 1000,
    })
    const running = startLoads(run)
    const runs = await injectFaults(plan, run.fleet, options.onFault ?? (() => undefined))
    await heal(run.fleet)
    await writeFile(run.groups.stop, '')
    await running.stop()
    const quietAfterMs = await awaitQuiet(run.fleet, leaseMs * 4 + 20_000)
    const evidence = await collect(run, leaseMs)
    await writeFile(path.join(folder, 'evidence.json'), JSON.stringify(evidence))
    return {
      violations: [...checkEvidence(evidence), ...findTroubles(run.fleet)],
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
  groups: { journal: string; stop: string }
  createClient(name: string): ChaosClient
  close(): Promise<void>
}

async function openRun({ folder, seed, without }: ChaosOptions, random: Random): Promise<Run> {
  const journal = path.join(folder, 'journal.jsonl')
  const handedOver = path.join(folder, 'handed-over.jsonl')
  const groups = {
    journal: path.join(folder, 'groups.jsonl'),
    stop: path.join(folder, 'no-more-groups'),
  }
  const fleet = await openFleet({
    folder,
    seed,
    servers,
    libraries,
    groups,
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
    loads: chooseLoads(openapi.body as { paths: Record<string, unknown> }, without),
    journal,
    handedOver,
    groups,
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

async function collect(run: Run, leaseMs: number): Promise<Evidence> {
  const { postgres } = run.fleet
  const listed = await listCalls(run.createClient('lister'), run.ledger)
  // A deadline may still pass while the readers come to their end; what it writes they need not see.
  const owed = await readEvents(postgres)
  await Promise.all([run.feed.finish(), run.stream.finish()])
  const calls = await readCalls(postgres)
  const events = await readEvents(postgres)
  const rows = await readGroups(postgres)
  const lines = await readJournal<GroupLine>(run.groups.journal)
  return {
    answers: run.ledger.answers,
    effects: await readJournal<EffectLine>(run.journal),
    calls,
    events,
    followed: run.feed.followed,
    streamed: run.stream.followed,
    owed,
    listed,
    groups: toGroupFacts({ rows, lines, calls, events, leaseMs }),
    scheduleRuns: await readScheduleRuns(postgres),
    tools: toolTraits,
  }
}

/** No fault is a reason for a node to end by itself, or for an error that nobody expected. */
function findTroubles({ nodes }: Fleet): Violation[] {
  return nodes.flatMap((node) =>
    node.troubles().map((message) => ({ rule: 'node in trouble', subject: node.name, message })),
  )
}
