import { addUsage } from '../../core/conversations/add-usage.ts'
import { noUsage, type Turn } from '../../core/conversations/conversation.ts'
import { isToolError, ToolError } from '../../core/kernel/errors.ts'
import { isSettled } from '../../core/call-state.ts'
import { createChunkLog, type ChunkLog } from './stream/chunk-log.ts'
import { endTurn } from './end-turn.ts'
import { toStartChunk } from './stream/frame-chunks.ts'
import type { TurnOutcome } from './turn-work.ts'
import { turnKind } from './turn-kind.ts'
import { assertProgress } from './assert-progress.ts'
import { leaseOf, type TurnWork } from './turn-work.ts'
import type { TurnPorts } from './turn-ports.ts'
import { type Chunk, readParts } from './ui-parts.ts'

/** Runs turns: begun here, continued by their groups, or left by a dead node. */
export interface TurnRunner {
  /**
   * Takes up this turn now if there is capacity; otherwise any node with capacity takes it up soon.
   */
  start(turnId: string): Promise<void>
  /** Looks for turns to work on. Returns how many it took. */
  sweep(): Promise<number>
  /** The stream of a turn that runs here. */
  logOf(turnId: string): ChunkLog | undefined
  /** Where it runs here, it stops now. */
  stop(turnId: string): void
  /** Called when a turn has ended here. */
  onEnd(listener: (turn: Turn) => void): void
  count(): number
  close(): Promise<void>
}

interface Running {
  tenant: string
  log?: ChunkLog
  abort: AbortController
  done: Promise<void>
}

/** How soon a stop that another node was asked for is heard. */
const lookEveryMs = 1000
/** How soon a key that is over ends what it began. */
const lookAtKeyEveryMs = 3000
/** Few, so that one tenant's do not come all together. */
const takenAtOnce = 8
/** How long a stopping node waits for turns to hand over. */
const closeMs = 5000

export function createTurnRunner(ports: TurnPorts): TurnRunner {
  const { limits } = ports
  const running = new Map<string, Running>()
  const listeners = new Set<(turn: Turn) => void>()
  const leaving = new AbortController()

  function take(turn: Turn): void {
    const abort = new AbortController()
    const entry: Running = { tenant: turn.tenant, abort, done: Promise.resolve() }
    running.set(turn.id, entry)
    entry.done = work(turn, entry).finally(() => {
      if (running.get(turn.id) === entry) running.delete(turn.id)
      // Only now is it certain that no more chunks will come.
      entry.log?.wake()
    })
  }
  /** Never rejects: a turn that cannot continue here is taken up again when its lease expires. */
  async function work(turn: Turn, entry: Running): Promise<void> {
    const stopKeeping = keepLease(turn, entry.abort, ports)
    try {
      const opened = await openWork(
        { turn, signal: entry.abort.signal, leaving: leaving.signal },
        ports,
      )
      entry.log = opened.log
      const { kind } = await settle(opened, ports)
      if (kind === 'done') for (const listener of listeners) listener(opened.turn)
    } catch (error) {
      // A node that stops hands it on at once; a turn that broke waits until its lease is over.
      if (leaving.signal.aborted) await handOver(turn, entry.log, ports).catch(() => undefined)
      else ports.onWarning(`${turn.id} could not continue here: ${String(error)}`)
    } finally {
      stopKeeping()
    }
  }
  const room = () => (leaving.signal.aborted ? 0 : Math.max(0, limits.atOnce - running.size))
  const taking = createTaking({ running, room, take }, ports)
  const stopContinuing = continueTurns(take, ports)
  return {
    start: taking.one,
    sweep: taking.all,
    logOf: (turnId) => running.get(turnId)?.log,
    stop: (turnId) => running.get(turnId)?.abort.abort(cancelled),
    onEnd: (listener) => void listeners.add(listener),
    count: () => running.size,
    async close() {
      leaving.abort(handedOver)
      stopContinuing()
      await withinClose([...running.values()].map(({ done }) => done))
    },
  }
}

interface Place {
  running: ReadonlyMap<string, Running>
  room(): number
  take(turn: Turn): void
}

/** Claims turns, as many as there is room for. */
function createTaking({ running, room, take }: Place, { store, limits }: TurnPorts) {
  const lease = { leaseMs: limits.leaseMs }
  const claim = (query: { limit: number; turnId?: string }) =>
    store.claimTurns({ ...lease, ...query, except: findCrowded(running.values(), limits) })
  async function takeSome(): Promise<number> {
    const limit = Math.min(room(), takenAtOnce)
    if (limit === 0) return 0
    const stopped = await store.claimStopped({ ...lease, limit })
    const turns = [...(await claim({ limit })), ...stopped]
    turns.forEach(take)
    return turns.length
  }
  return {
    async one(turnId: string): Promise<void> {
      if (room() === 0) return
      for (const turn of await claim({ limit: 1, turnId })) take(turn)
    },
    async all(): Promise<number> {
      let taken = 0
      for (;;) {
        const some = await takeSome()
        taken += some
        if (some < takenAtOnce) return taken
      }
    },
  }
}

/** Tenants that have as many turns here as one may have. */
function findCrowded(
  running: Iterable<Running>,
  { tenantAtOnce }: Pick<TurnPorts['limits'], 'tenantAtOnce'>,
): string[] {
  const counts = new Map<string, number>()
  for (const { tenant } of running) counts.set(tenant, (counts.get(tenant) ?? 0) + 1)
  return [...counts].flatMap(([tenant, count]) => (count < tenantAtOnce ? [] : [tenant]))
}

/** A turn whose calls have settled continues here; a second notification finds it running. */
function continueTurns(take: (turn: Turn) => void, { groups, store, limits }: TurnPorts) {
  return groups.onContinue(turnKind, async ({ tenant, groupId, data }) => {
    const { turnId } = data as { turnId: string }
    const turn = await store.resumeTurn(tenant, turnId, { groupId, leaseMs: limits.leaseMs })
    if (turn !== undefined) take(turn)
  })
}

/** With what it has used here: the next node asks its model again, and both cost. */
async function handOver(
  turn: Turn,
  log: ChunkLog | undefined,
  { store }: Pick<TurnPorts, 'store'>,
): Promise<void> {
  await log?.flush().catch(() => false)
  await store.yieldTurn(leaseOf(turn), turn.usage)
}

async function withinClose(all: readonly Promise<void>[]): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, closeMs)
  await Promise.race([Promise.allSettled(all), late.promise])
  clearTimeout(timer)
}

/** Why a turn stops here: its end, or only this node's part in it. */
const cancelled = 'cancelled'
const overdue = 'overdue'
const handedOver = 'handed over'
const lost = 'lost'

/** Keeps the lease, hears of stops, and ends the turn at its deadline or with its key. */
function keepLease(turn: Turn, abort: AbortController, ports: TurnPorts): () => void {
  const { store, limits } = ports
  if (turn.cancelRequested) abort.abort(cancelled)
  const { deadlineAt: lastAt = Infinity } = turn.bounds
  const isChild = turn.parentCallId !== undefined
  // A child's limits are counted here, by a clock that nobody can set.
  const childUntil = isChild ? performance.now() + limits.subagentMs : Infinity
  const lookAtClock = () => {
    if (ports.now() >= lastAt || performance.now() >= childUntil) abort.abort(overdue)
  }
  // At once: calls past their deadline must not run for another second.
  lookAtClock()
  const timer = setInterval(() => {
    lookAtClock()
    if (isChild) void stopWithCall(turn, abort, ports)
    void keep(turn, abort, { store, limits })
  }, lookEveryMs)
  const keyTimer = setInterval(() => void stopWithKey(turn, abort, ports), lookAtKeyEveryMs)
  return () => {
    clearInterval(timer)
    clearInterval(keyTimer)
  }
}

async function keep(
  turn: Turn,
  abort: AbortController,
  { store, limits }: Pick<TurnPorts, 'store' | 'limits'>,
): Promise<void> {
  try {
    const kept = await store.keepTurn(leaseOf(turn), limits.leaseMs)
    if (kept === undefined) abort.abort(lost)
    else if (kept.cancelRequested) abort.abort(cancelled)
  } catch {
    // A store that does not answer now may answer in time.
  }
}

/** A person who may not begin a turn any more may not have one continue either. */
async function stopWithKey(turn: Turn, abort: AbortController, ports: TurnPorts): Promise<void> {
  try {
    await ports.assertCaller(turn.caller)
  } catch (error) {
    // An unreachable store proves nothing about the key.
    if (isToolError(error) && error.code === 'forbidden') abort.abort(error)
  }
}

/** Nobody reads the answer of an agent whose call has ended. */
async function stopWithCall(
  turn: Turn,
  abort: AbortController,
  { findCall }: TurnPorts,
): Promise<void> {
  const call = await findCall(turn.tenant, turn.parentCallId ?? '').catch(() => null)
  if (call === undefined || (call !== null && isSettled(call.status))) abort.abort(cancelled)
}

/** The turn's message and its stream as they were left. */
async function openWork(
  { turn, signal, leaving }: Pick<TurnWork, 'turn' | 'signal' | 'leaving'>,
  { store }: TurnPorts,
): Promise<TurnWork> {
  const stored = await store.findMessage(turn.tenant, turn.conversationId, turn.messageId)
  const parts = structuredClone(readParts(stored))
  const chunks = await store.readChunks(turn.tenant, turn.id, 0)
  const log = createChunkLog(leaseOf(turn), { stored: chunks.length, parts, store })
  log.write(toStartChunk(turn))
  const count = (type: string) => chunks.filter((chunk) => (chunk as Chunk).type === type).length
  const begun = count('start-step') - count('reset-step')
  if (begun > turn.step) {
    // A step begun by a dead node is repeated: readers have to discard its chunks.
    log.tell({ type: 'reset-step' })
    // Nobody is left who could say what it took.
    turn.usage = addUsage(turn.usage, { ...noUsage, modelCalls: 1, cutOffCalls: 1 })
  }
  return { turn, parts, log, signal, leaving, standIn: {} }
}

async function settle(work: TurnWork, ports: TurnPorts): Promise<TurnOutcome> {
  try {
    work.signal.throwIfAborted()
    assertProgress(work.turn)
    // Loaded with the first turn: the SDK for models takes a tenth of an idle server.
    const { runTurn } = await import('./run-turn.ts')
    const outcome = await runTurn(work, ports)
    if (outcome.kind !== 'done') return outcome
    return (await endTurn(work, { status: 'completed' }, ports)) ? outcome : { kind: 'lost' }
  } catch (error) {
    const why = work.signal.aborted ? await whyStopped(work, ports) : error
    if (why === lost) return { kind: 'lost' }
    if (work.leaving.aborted && !work.signal.aborted) {
      throw new Error('its node stops', { cause: error })
    }
    const isEnded = await endTurn(work, { status: 'failed', why }, ports)
    return { kind: isEnded ? 'done' : 'lost' }
  }
}

/** Deleting an agent stops its turns; this one was not stopped. */
async function whyStopped(
  { signal, turn }: TurnWork,
  { models }: Pick<TurnPorts, 'models'>,
): Promise<unknown> {
  if (signal.reason !== cancelled) return signal.reason
  const agent = await models.findAgent(turn.tenant, turn.agent).catch(() => null)
  if (agent !== undefined) return cancelled
  return new ToolError('cancelled', `There is no agent ${JSON.stringify(turn.agent)} any more`)
}
