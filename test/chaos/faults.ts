import { setTimeout as sleep } from 'node:timers/promises'
import type { ChaosNode } from './node-processes.ts'
import type { PostgresInstance } from './postgres-instance.ts'
import type { Random } from './random.ts'

/** Something that is done to the fleet at a time. */
export interface Fault {
  kind: FaultKind
  atMs: number
  /** How long it lasts, where it is not over at once. */
  lastsMs: number
  /** The nodes it befalls, by their place in the fleet. */
  nodes: readonly number[]
}

export interface Fleet {
  nodes: readonly ChaosNode[]
  postgres: PostgresInstance
}

type Inject = (fault: Fault, fleet: Fleet) => Promise<void>

const faultKinds = {
  'kill a node': eachNode((node, { lastsMs }) => node.kill(lastsMs)),
  'drain a node': eachNode((node) => node.drain()),
  'pause a node for a moment': eachNode(pauseNode),
  'pause a node past its lease': eachNode(pauseNode),
  'cut a node off past its lease': eachNode(cutOff),
  'cut all off for a moment': eachNode(cutOff),
  'hold back the bytes of a node': eachNode(holdBack),
  // What it answers meanwhile, and could not write down, dies with it.
  'cut a node off, then kill it': eachNode(async (node, fault) => {
    await cutOff(node, fault, () => node.kill(0))
  }),
  // What it sent last arrives when it is long dead.
  'hold back a node, then kill it': eachNode(async (node, fault) => {
    await holdBack(node, fault, () => node.kill(0))
  }),
  'reset connections': eachNode(async ({ proxy }) => proxy.resetAll()),
  'restart PostgreSQL': (_fault, { postgres }) => postgres.restart('fast'),
  'stop PostgreSQL at once': (_fault, { postgres }) => postgres.restart('immediate'),
  'kill PostgreSQL': (_fault, { postgres }) => postgres.restart('killed'),
  // While it restarts there is no session to crash.
  'crash a session': (_fault, { postgres }) => postgres.crashSession().catch(() => undefined),
  'kill all nodes': eachNode((node, { lastsMs }) => node.kill(lastsMs)),
} as const satisfies Record<string, Inject>

export type FaultKind = keyof typeof faultKinds

/** How long a node is dead before what it was kept from reaching can be reached again. */
const afterlifeMs = 300

const forAll: readonly FaultKind[] = [
  'cut all off for a moment',
  'reset connections',
  'kill all nodes',
]
const forPostgres: readonly FaultKind[] = [
  'restart PostgreSQL',
  'stop PostgreSQL at once',
  'kill PostgreSQL',
]

export interface FaultPlanOptions {
  lastsMs: number
  nodes: number
  /** After so long without a sign of life a node's calls are taken from it. */
  leaseMs: number
  /** Time from one fault to the next, on average. */
  everyMs: number
}

/**
 * Which faults come when. Kinds are dealt like cards, so that a short run has as many different ones as
 * fit into it. One thing at a time happens to PostgreSQL; nodes may suffer several.
 */
export function planFaults(random: Random, options: FaultPlanOptions): Fault[] {
  const faults: Fault[] = []
  let deck: FaultKind[] = []
  const kinds = (Object.keys(faultKinds) as FaultKind[]).filter((kind) => fits(kind, options))
  for (let atMs = options.everyMs / 2; atMs < options.lastsMs;) {
    if (deck.length === 0) deck = random.shuffle(kinds)
    const kind = deck.pop() as FaultKind
    const all = Array.from({ length: options.nodes }, (_, place) => place)
    const nodes = forAll.includes(kind) ? all : [random.pick(all)]
    const lastsMs = durationOf(kind, random, options.leaseMs)
    faults.push({
      kind,
      atMs: Math.floor(atMs),
      lastsMs,
      nodes: forPostgres.includes(kind) ? [] : nodes,
    })
    atMs += options.everyMs * (0.5 + random.next())
  }
  return faults
}

/** What outlasts a lease would fill a run that is not much longer. */
function fits(kind: FaultKind, { leaseMs, lastsMs }: FaultPlanOptions): boolean {
  return !kind.endsWith('past its lease') || lastsMs >= leaseMs * 2.5
}

function durationOf(kind: FaultKind, random: Random, leaseMs: number): number {
  if (kind.endsWith('past its lease')) return Math.round(leaseMs * (1.3 + random.next() * 0.2))
  return random.between(100, 1500)
}

export interface FaultRun {
  fault: Fault
  error?: Error
}

/** Lets the plan come true. Resolves when the last fault is over, with what could not be done. */
export async function injectFaults(
  plan: readonly Fault[],
  fleet: Fleet,
  onFault: (fault: Fault) => void,
): Promise<FaultRun[]> {
  const startedAt = performance.now()
  let postgresIsFree: Promise<unknown> = Promise.resolve()
  return Promise.all(
    plan.map(async (fault): Promise<FaultRun> => {
      await sleep(Math.max(0, fault.atMs - (performance.now() - startedAt)))
      onFault(fault)
      const inject: Inject = faultKinds[fault.kind]
      try {
        if (!forPostgres.includes(fault.kind)) await inject(fault, fleet)
        else await (postgresIsFree = postgresIsFree.then(() => inject(fault, fleet)))
        return { fault }
      } catch (error) {
        return { fault, error: error as Error }
      }
    }),
  )
}

function eachNode(act: (node: ChaosNode, fault: Fault) => Promise<void>): Inject {
  return async (fault, { nodes }) => {
    const befallen = nodes.filter((_, place) => fault.nodes.includes(place))
    await Promise.all(befallen.map((node) => act(node, fault)))
  }
}

async function pauseNode(node: ChaosNode, { lastsMs }: Fault): Promise<void> {
  node.pause()
  await sleep(lastsMs)
  node.resume()
}

type AtTheEnd = () => Promise<void>

/** `last` begins while the fault still lasts; a start that needs the database waits for its end. */
async function cutOff({ proxy }: ChaosNode, { lastsMs }: Fault, last?: AtTheEnd): Promise<void> {
  proxy.cut()
  await sleep(lastsMs)
  const lasting = last?.()
  await sleep(last === undefined ? 0 : afterlifeMs)
  proxy.restore()
  await lasting
}

async function holdBack({ proxy }: ChaosNode, { lastsMs }: Fault, last?: AtTheEnd): Promise<void> {
  proxy.freeze()
  await sleep(lastsMs)
  const lasting = last?.()
  await sleep(last === undefined ? 0 : afterlifeMs)
  proxy.thaw()
  await lasting
}
