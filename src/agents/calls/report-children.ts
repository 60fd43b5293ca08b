import type { Turn } from '../../core/conversations/conversation.ts'
import type { CompletionReport } from '../../core/async/completion.ts'
import { isSettled } from '../../core/call-state.ts'
import { answerOf } from '../chat/agent-runs.ts'
import { sumUsage } from '../turn/calls/sent-out.ts'
import type { TurnPorts } from '../turn/turn-ports.ts'
import { readParts } from '../turn/ui-parts.ts'

export interface ReportPorts extends Pick<TurnPorts, 'store' | 'limits' | 'findCall'> {
  /** Ends the call, with what its agents cost; nothing happens where it has ended. */
  complete(
    of: { tenant: string; callId: string; cost: number },
    report: CompletionReport,
  ): Promise<void>
}

const atOnce = 50

/** Ends the calls whose agents have all returned. Finds those that a dead node left behind. */
export async function reportChildren(ports: ReportPorts, callId?: string): Promise<number> {
  const query = { leaseMs: ports.limits.leaseMs, limit: atOnce }
  const ended = await ports.store.claimReports(callId === undefined ? query : { ...query, callId })
  const calls = new Map(
    ended.flatMap((turn) => (turn.parentCallId ? [[turn.parentCallId, turn]] : [])),
  )
  for (const [id, { tenant }] of calls) await reportCall(tenant, id, ports)
  return ended.length
}

async function reportCall(tenant: string, callId: string, ports: ReportPorts): Promise<void> {
  const call = await ports.findCall(tenant, callId)
  // Called off, or given up: nobody waits for what they found.
  const isAwaited = call !== undefined && !isSettled(call.status)
  if (isAwaited) {
    const turns = await ports.store.listChildren(tenant, callId)
    if (!areAllBack(turns)) return
    const ends = await Promise.all(turns.map((turn) => toEnd(turn, ports)))
    const report = (await isAsked(turns, ports)) ? toAnswer(ends) : undefined
    await ports.complete({ tenant, callId, cost: sumUsage(turns).cost }, report ?? toResults(ends))
  }
  await ports.store.markReported(tenant, callId)
}

/** The last one to end reports for all. A quick one may be back before the others have begun. */
function areAllBack(turns: readonly Turn[]): boolean {
  const sentOut = Math.max(...turns.map(({ bounds }) => bounds.siblings ?? 1))
  return turns.length >= sentOut && turns.every(({ settledAt }) => settledAt !== undefined)
}

interface ChildResult {
  status: string
  answer: string
  error: string | null
  conversationId: string
}

interface ChildEnd {
  result: ChildResult
  /** It was ended by the clock. */
  isOverdue: boolean
}

async function toEnd(turn: Turn, { store }: ReportPorts): Promise<ChildEnd> {
  const message = await store.findMessage(turn.tenant, turn.conversationId, turn.messageId)
  const result = {
    status: turn.status,
    answer: answerOf(readParts(message)),
    error: turn.error === undefined ? null : `${turn.error.code}: ${turn.error.message}`,
    conversationId: turn.conversationId,
  }
  return { result, isOverdue: turn.error?.code === 'timeout' }
}

const notInTime = 'The agent did not answer in time'

/** Was an agent asked by its own tool? Otherwise several were sent out. */
async function isAsked([first]: readonly Turn[], { store }: ReportPorts): Promise<boolean> {
  const conversation = first && (await store.find(first.tenant, first.conversationId))
  return conversation?.kind === 'agent'
}

/** Several that were sent out answer in order. */
function toResults(ends: readonly ChildEnd[]): CompletionReport {
  return { status: 'completed', response: { results: ends.map(({ result }) => ({ ...result })) } }
}

/** One agent that was asked answers by itself. */
function toAnswer([first]: readonly ChildEnd[]): CompletionReport | undefined {
  if (first === undefined) return undefined
  const { status, error, answer, conversationId } = first.result
  if (first.isOverdue) return { status: 'failed', code: 'timeout', error: notInTime }
  if (status !== 'completed') return { status: 'failed', error: error ?? status }
  return { status: 'completed', response: { answer, conversationId } }
}
