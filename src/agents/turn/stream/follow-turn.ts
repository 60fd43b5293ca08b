import type { Approval } from '../../../core/approvals/approval.ts'
import type { Turn } from '../../../core/conversations/conversation.ts'
import type { JsonValue } from '../../../core/kernel/json.ts'
import { askedBelow } from '../calls/asked-below.ts'
import type { TurnPorts } from '../turn-ports.ts'
import type { TurnRunner } from '../turn-runner.ts'
import type { Chunk } from '../ui-parts.ts'

export interface Following {
  tenant: string
  turnId: string
  /** Read on from this chunk. */
  from: number
  /** How often an empty list is sent, so that readers see that the connection is alive. */
  heartbeatMs: number
  signal?: AbortSignal
}

type FollowPorts = Pick<TurnPorts, 'store' | 'events' | 'findCall' | 'findApproval'> & {
  runner: Pick<TurnRunner, 'logOf'>
}

/** However word of news fares, it gets here within so long. */
const lookEveryMs = 1000

/**
 * The stream of a turn, wherever it runs, until it ends or waits for a person. Lists of chunks as
 * they come; an empty one after a while of silence.
 */
export async function* followTurn(
  { tenant, turnId, from, heartbeatMs, signal }: Following,
  ports: FollowPorts,
): AsyncGenerator<Chunk[], void> {
  const tidy = createTidy()
  const questions = createQuestions(tenant, ports)
  let next = from
  let saidAt = performance.now()
  for (;;) {
    if (signal?.aborted === true) return
    const news = nextNews(turnId, ports, signal)
    try {
      // Looked at before the chunks are read: what is there once it rests is all that will come.
      const isResting = await rests(tenant, turnId, ports)
      const chunks = await read({ tenant, turnId, from: next }, ports)
      next += chunks.length
      const told = tidy(await questions.withAnswers(chunks as Chunk[]))
      if (told.length > 0 || performance.now() - saidAt >= heartbeatMs) {
        saidAt = performance.now()
        yield told
      }
      if (isResting && chunks.length === 0) {
        return yield tidy(await lastWords({ tenant, turnId, from: next }, ports), true)
      }
      if (chunks.length === 0) await news.promise
    } finally {
      news.stop()
    }
  }
}

/** Nothing more will come until a person acts. */
export async function rests(
  tenant: string,
  turnId: string,
  { store, findCall, runner }: Pick<FollowPorts, 'store' | 'findCall' | 'runner'>,
): Promise<boolean> {
  if (runner.logOf(turnId) !== undefined) return false
  const turn = await store.findTurn(tenant, turnId)
  if (turn === undefined || turn.settledAt !== undefined) return true
  if (turn.status !== 'waiting') return false
  return (await waitingForPeople(turn, { findCall, store })).length > 0
}

/**
 * A waiting turn's message is not rewritten. So its questions in the stream are looked up once no
 * more chunks come, and a reader is not asked again.
 */
function createQuestions(tenant: string, { findApproval }: Pick<FollowPorts, 'findApproval'>) {
  const open = new Set<string>()
  return {
    async withAnswers(chunks: readonly Chunk[]): Promise<readonly Chunk[]> {
      for (const { type, approvalId } of chunks) {
        if (type === 'tool-approval-request') open.add(String(approvalId))
        if (type === 'tool-approval-response') open.delete(String(approvalId))
      }
      if (chunks.length > 0 || open.size === 0) return chunks
      const found = await Promise.all([...open].map((id) => findApproval(tenant, id)))
      const answers = found.flatMap((one) => (one === undefined ? [] : toAnswer(one)))
      for (const { approvalId } of answers) open.delete(approvalId)
      return answers
    },
  }
}

function toAnswer({ id: approvalId, status }: Approval) {
  if (status !== 'approved' && status !== 'rejected') return []
  return [{ type: 'tool-approval-response', approvalId, approved: status === 'approved' }]
}

/**
 * Chunks that are not in its log: the log is closed while the turn waits, and deleted a while after
 * its end.
 */
async function lastWords(
  { tenant, turnId, from }: Pick<Following, 'tenant' | 'turnId' | 'from'>,
  ports: FollowPorts,
): Promise<Chunk[]> {
  const turn = await ports.store.findTurn(tenant, turnId)
  if (turn?.status === 'waiting') return askedBelow(tenant, turn.waiting?.calls ?? [], ports)
  if (turn === undefined || from > 0) return []
  // A reader that starts at the beginning and finds nothing is late. That is rare, so the code is
  // loaded for it.
  const { replayTurn } = await import('./replay-turn.ts')
  return replayTurn(turn, ports.store)
}

/** Approvals that a turn waits for: of its own calls, and of the agents that it has sent out. */
export async function waitingForPeople(
  { tenant, waiting }: Turn,
  ports: Pick<TurnPorts, 'findCall' | 'store'>,
): Promise<string[]> {
  const open = await Promise.all(
    (waiting?.calls ?? []).map(async ({ callId }) => {
      const call = callId === undefined ? undefined : await ports.findCall(tenant, callId)
      if (call?.status !== 'waiting') return []
      if (call.waitingFor === 'approval') return call.approvalId ?? []
      const children = await ports.store.listChildren(tenant, call.callId)
      return (await Promise.all(children.map((child) => waitingForPeople(child, ports)))).flat()
    }),
  )
  return open.flat()
}

async function read(
  { tenant, turnId, from }: Pick<Following, 'tenant' | 'turnId' | 'from'>,
  { store, runner }: FollowPorts,
): Promise<readonly JsonValue[]> {
  return runner.logOf(turnId)?.read(from) ?? store.readChunks(tenant, turnId, from)
}

function nextNews(turnId: string, { events, runner }: FollowPorts, signal?: AbortSignal) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, lookEveryMs)
  const done = () => resolve()
  const local = runner.logOf(turnId)
  // While it runs here its own log is complete; the store would only cost queries.
  const unwatch = local === undefined ? events.watch(done) : local.watch(done)
  signal?.addEventListener('abort', done, { once: true })
  return {
    promise,
    stop() {
      clearTimeout(timer)
      unwatch()
      signal?.removeEventListener('abort', done)
    },
  }
}

/** One message, one beginning and one end, however often its turn waited and continued. */
function createTidy(): (chunks: readonly Chunk[], isOver?: boolean) => Chunk[] {
  let hasBegun = false
  let end: Chunk | undefined
  return (chunks, isOver = false) => {
    const told: Chunk[] = []
    for (const chunk of chunks) {
      if (chunk.type === 'finish') {
        end = chunk
        continue
      }
      if (chunk.type === 'start' && hasBegun) continue
      if (chunk.type === 'start') hasBegun = true
      told.push(chunk)
    }
    if (!isOver) return told
    return [...told, end ?? { type: 'finish', finishReason: 'tool-calls' }]
  }
}
