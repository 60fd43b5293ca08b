import { isToolError, ToolError } from '../../core/kernel/errors.ts'
import type { NewEvent } from '../../core/events/event.ts'
import { toCallError } from '../../core/pipeline/record/call-error.ts'
import { cancelCalls, writeCancelled } from './calls/cancel-calls.ts'
import { toEndChunks, type TurnEnding } from './stream/frame-chunks.ts'
import { countSentOut } from './calls/sent-out.ts'
import {
  leaseOf,
  oddReason,
  shownUsage,
  stepOf,
  type TurnWork,
  unrecordedCost,
} from './turn-work.ts'
import type { TurnPorts } from './turn-ports.ts'

/** How a turn ends, and why, where it does not end well. */
export type Ending = { status: 'completed' } | { status: 'failed'; why: unknown }

/**
 * Settles a turn. Calls it still waited for are cancelled first, and every call in its message gets
 * an end, so that the conversation can continue, whatever happened. False: another owner ended it.
 */
export async function endTurn(work: TurnWork, ending: Ending, ports: TurnPorts): Promise<boolean> {
  const { turn, log } = work
  const { status, error } = toEnd(ending)
  if (status !== 'completed') {
    const records = await cancelCalls(work, ports)
    writeCancelled(work, { records, why: error?.message ?? status })
    await countSentOut(work, ports)
  }
  writeEnd(work, { status, error })
  await log.flush()
  const { principal } = turn.caller
  const event = toEvent(work, { status, error }, ports.now())
  const end = { status, told: { principal, event }, ...(error !== undefined && { error }) }
  const isEnded = await ports.store.endTurn(leaseOf(turn), stepOf(work), end)
  if (isEnded) Object.assign(turn, { status, ...(error && { error }) })
  return isEnded
}

function writeEnd(work: TurnWork, ending: TurnEnding): void {
  const { turn, parts, log } = work
  for (const part of parts) if (part['state'] === 'streaming') part['state'] = 'done'
  toEndChunks(turn, { ...ending, odd: oddReason(work) }).forEach(log.write)
}

function toEnd(ending: Ending): TurnEnding {
  if (ending.status === 'completed') return ending
  if (ending.why === 'cancelled') {
    const error = new ToolError('cancelled', 'Somebody stopped the agent')
    return { status: 'cancelled', error: toCallError(error) }
  }
  if (isToolError(ending.why) && ending.why.code === 'cancelled') {
    return { status: 'cancelled', error: toCallError(ending.why) }
  }
  if (ending.why === 'overdue') {
    const error = new ToolError('timeout', 'The turn took longer than it may')
    return { status: 'failed', error: toCallError(error) }
  }
  return { status: 'failed', error: toCallError(ending.why) }
}

function toEvent({ turn }: TurnWork, { status, error }: TurnEnding, at: number): NewEvent {
  const { id, usage, model, step } = turn
  const { cost: _, ...used } = shownUsage(usage)
  const cost = unrecordedCost(usage)
  const data = {
    turnId: id,
    steps: step,
    ...(model !== undefined && { model }),
    usage: used,
    ...(cost > 0 && { cost }),
    ...(turn.parentCallId !== undefined && { parentCallId: turn.parentCallId }),
  }
  if (status === 'completed' || error === undefined) return { type: 'turn.completed', at, data }
  const { code, message } = error
  return { type: `turn.${status}`, at, data: { ...data, error: { code, message } } }
}
