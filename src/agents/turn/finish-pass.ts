import type { Turn, WaitingPass } from '../../core/conversations/conversation.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import type { TurnStep } from '../../core/conversations/conversation-store.ts'
import { isSettled } from '../../core/call-state.ts'
import { leaseOf, stepOf, type TurnOutcome, type TurnWork, unrecordedCost } from './turn-work.ts'
import { readHeldNames } from './held-names.ts'
import { askedBelow } from './calls/asked-below.ts'
import { makePass, writeSettled, toPassCalls } from './calls/make-pass.ts'
import { countSentOut } from './calls/sent-out.ts'
import type { TurnPorts } from './turn-ports.ts'
import { isAnswered, isToolPart, openCalls } from './ui-parts.ts'

/**
 * Makes the calls of a pass, or reads their results. Undefined: all have settled, and the turn
 * continues.
 */
export async function finishPass(
  work: TurnWork,
  pass: WaitingPass,
  ports: TurnPorts,
): Promise<TurnOutcome | undefined> {
  const { turn, parts, log, signal } = work
  const made = pass.isMade ? pass : await makeCalls(work, pass, ports)
  turn.waiting = made
  signal.throwIfAborted()
  const byId = new Map(parts.filter(isToolPart).map((part) => [part.toolCallId, part]))
  const open = made.calls.flatMap(({ toolCallId, callId }) => {
    const part = byId.get(toolCallId)
    return part === undefined || isAnswered(part) || callId === undefined ? [] : [{ part, callId }]
  })
  const calls = await Promise.all(
    open.map(async ({ part, callId }) => ({
      part,
      call: await ports.findCall(turn.tenant, callId),
    })),
  )
  const settled = calls.filter(({ call }) => call === undefined || isSettled(call.status))
  writeSettled(settled, log.write)
  if (settled.length < calls.length) return wait(work, made, ports)
  await countSentOut(work, ports)
  // Only calls that were waited for can have asked a person since.
  if (pass.isMade) (await askedBelow(turn.tenant, made.calls, ports)).forEach(log.write)
  log.write({ type: 'finish-step' })
  const isKept = (await log.flush()) && (await ports.store.saveStep(leaseOf(turn), stepOf(work)))
  // Nobody waits for it any more: it settles by itself, and there is nothing to continue.
  ports.groups.seal(turn.tenant, made.groupId).catch(() => undefined)
  delete turn.waiting
  return isKept ? undefined : { kind: 'lost' }
}

async function makeCalls(
  work: TurnWork,
  pass: WaitingPass,
  ports: TurnPorts,
): Promise<WaitingPass> {
  const { turn, parts, log, signal } = work
  const wanted = new Set(pass.calls.map(({ toolCallId }) => toolCallId))
  const toMake = parts.filter(isToolPart).filter(({ toolCallId }) => wanted.has(toolCallId))
  const wireNames = await readHeldNames(work, ports)
  const { groupId } = pass
  const results = await makePass(
    toMake,
    { turn, groupId, wireNames, signal, write: log.write, inputs: openInputs(turn, pass, ports) },
    ports,
  )
  return { groupId, isMade: true, calls: toPassCalls(pass.calls, results) }
}

/**
 * If the key no longer exists, the marks are sent and refused: the model is asked to give the
 * values again.
 */
function openInputs(
  { id }: Turn,
  { sealedInput }: WaitingPass,
  { inputs }: TurnPorts,
): Readonly<Record<string, JsonValue>> {
  if (sealedInput === undefined) return {}
  try {
    return inputs.open(sealedInput, id) as Record<string, JsonValue>
  } catch {
    return {}
  }
}

async function wait(work: TurnWork, pass: WaitingPass, ports: TurnPorts): Promise<TurnOutcome> {
  const { turn, parts, log } = work
  const waitsForPerson = openCalls(parts).some(({ state }) => state === 'approval-requested')
  log.write({ type: 'finish-step' })
  // A reader of the stream can answer only once the stream has ended.
  if (waitsForPerson) log.write({ type: 'finish', finishReason: 'tool-calls' })
  const lease = leaseOf(turn)
  const step = { ...stepOf(work), ...reportCost(turn, ports.now()) }
  const isKept = (await log.flush()) && (await ports.store.waitTurn(lease, step, pass))
  if (!isKept) return { kind: 'lost' }
  await ports.groups.seal(turn.tenant, pass.groupId)
  await ports.store.releaseTurn(lease)
  return { kind: 'waiting' }
}

/** A turn may wait for days: budgets hear of what it has cost before. */
function reportCost(
  { id: turnId, usage, caller }: Turn,
  at: number,
): Partial<Pick<TurnStep, 'told' | 'usage'>> {
  const cost = unrecordedCost(usage)
  if (cost === 0) return {}
  const event = { type: 'turn.waiting' as const, at, data: { turnId, cost } }
  const told = { principal: caller.principal, event }
  return { told, usage: { ...usage, toldCost: usage.cost } }
}
