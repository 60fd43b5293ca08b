import { turnKind } from './turn-kind.ts'
import { addUsage } from '../../core/conversations/add-usage.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import type { Turn, TurnUsage, WaitingPass } from '../../core/conversations/conversation.ts'
import type { AgentSettings, ChosenModel } from '../model-source.ts'
import { leaseOf, stepOf, type TurnWork, type TurnOutcome } from './turn-work.ts'
import { askInWindow } from './context/ask-in-window.ts'
import { createInputHiding, type InputHiding } from './calls/hide-inputs.ts'
import { dressTools } from './model/dress-tools.ts'
import { addProviderTools } from './model/provider-tools.ts'
import { refuseUnrun } from './calls/refuse-unrun.ts'
import { tokensLeft } from './calls/sent-out.ts'
import type { TurnPorts } from './turn-ports.ts'
import { isToolPart, openCalls, type Part, textOf, type ToolPart } from './ui-parts.ts'
import { holdNames } from '../../core/offer/hold-names.ts'
import { ownValue } from '../../core/kernel/json/json-type.ts'
import { finishPass } from './finish-pass.ts'
import { readHeldNames } from './held-names.ts'

/**
 * Runs a turn from its stored state to its end, or until it has to wait. Every step is stored
 * before its calls are made, so a node that takes it over never repeats a request to the model that
 * had an effect. Throws anything else that ends the turn.
 */
export async function runTurn(work: TurnWork, ports: TurnPorts): Promise<TurnOutcome> {
  const agent = await findAgent(work.turn, ports)
  const chosen = await ports.models.modelFor(work.turn.tenant, agent)
  const { turn } = work
  if (turn.waiting !== undefined) {
    const outcome = await finishPass(work, turn.waiting, ports)
    if (outcome !== undefined) return outcome
  }
  while (turn.step < turn.bounds.maxSteps) {
    work.signal.throwIfAborted()
    work.leaving.throwIfAborted()
    assertTokens(turn, agent)
    const pass = await takeStep(work, { agent, chosen }, ports)
    if (pass === 'lost') return { kind: 'lost' }
    if (pass === 'answered') return { kind: 'done' }
    if (pass === 'again') continue
    const outcome = await finishPass(work, pass, ports)
    if (outcome !== undefined) return outcome
  }
  throw new ToolError('budget_exceeded', `The turn was not over after ${turn.step} steps`, {
    retryable: false,
    fix: 'Write "continue" to let it continue, or raise maxSteps of the agent.',
  })
}

async function findAgent({ tenant, agent }: Turn, ports: TurnPorts): Promise<AgentSettings> {
  const found = await ports.models.findAgent(tenant, agent)
  if (found !== undefined) return found
  throw new ToolError('not_found', `There is no agent ${JSON.stringify(agent)} any more`)
}

function assertTokens(turn: Turn, agent: AgentSettings): void {
  if (tokensLeft(turn, agent) > 0) return
  throw new ToolError('budget_exceeded', 'The turn has used the tokens that it may use', {
    fix: 'Raise maxTurnTokens of the agent, or ask for less at once.',
  })
}

interface Using {
  agent: AgentSettings
  chosen: ChosenModel
}

/** `again`: its calls were refused at once, and the model must see that; or it should continue. */
type StepEnd = 'answered' | 'again' | 'lost'

/** One model call. Gives the pass of calls that it asked for, if it asked for any. */
async function takeStep(
  work: TurnWork,
  { agent, chosen }: Using,
  ports: TurnPorts,
): Promise<WaitingPass | StepEnd> {
  const { turn, parts, log } = work
  const budget = await ports.enterModel(turn.caller)
  const { tools, wireNames, offer } = await gatherTools(work, { agent, chosen }, ports)
  const hiding = createInputHiding(offer, log.write)
  const spend = (used: TurnUsage) => {
    budget.spend(used.cost)
    turn.usage = addUsage(turn.usage, used)
  }
  const { finishReason, isPaused } = await askInWindow(
    { ...work, log: { ...log, write: hiding.write }, agent, chosen, tools, spend },
    ports,
  )
  turn.model = chosen.name
  turn.step += 1
  work.finishReason = finishReason
  refuseUnrun({ parts, write: log.write }, finishReason, ports.limits)
  const calls = openCalls(parts)
  if (calls.length === 0) return endStep(work, isPaused, ports)
  const pass = await beginPass(work, { calls, raw: hiding.raw }, ports)
  const used = Object.fromEntries(
    calls.flatMap((part) => {
      const wire = part.type === 'dynamic-tool' ? part.toolName : part.type.slice(5)
      const name = wire === undefined ? undefined : ownValue(wireNames, wire)
      return name === undefined || wire === undefined ? [] : [[wire, name] as const]
    }),
  )
  work.heldNames = { ...work.heldNames, ...used }
  const isFlushed = await log.flush()
  const step = { ...stepOf(work), pass, wireNames: used }
  if (!isFlushed || !(await ports.store.saveStep(leaseOf(turn), step))) return 'lost'
  // From here on there may be calls that somebody has to call off.
  turn.waiting = pass
  return pass
}

async function endStep(work: TurnWork, isPaused: boolean, ports: TurnPorts): Promise<StepEnd> {
  const { turn, parts, log } = work
  log.write({ type: 'finish-step' })
  const isKept = (await log.flush()) && (await ports.store.saveStep(leaseOf(turn), stepOf(work)))
  if (!isKept) return 'lost'
  if (isPaused) return 'again'
  const begin = parts.findLastIndex(({ type }) => type === 'step-start')
  const asked = parts.slice(begin + 1).filter(isToolPart)
  if (asked.some((part) => part.providerExecuted !== true)) return 'again'
  assertAnswered(work, parts.slice(begin + 1))
  return 'answered'
}

/**
 * A model that has answered before its last call may end there; no text at all is not an answer.
 */
function assertAnswered({ turn, parts, finishReason = '' }: TurnWork, last: readonly Part[]): void {
  const isEmpty = last.every((part) => unsaid.has(part.type) || isBlank(part))
  if (!isEmpty || (finishReason === 'stop' && textOf(parts).trim() !== '')) return
  const why = emptyReasons[finishReason] ?? 'it ended without a word'
  throw new ToolError('model_failed', `The model ${turn.model} gave no answer: ${why}`, {
    retryable: finishReason !== 'content-filter',
    fix: 'Try again, or ask in other words.',
  })
}

/** Reasoning, and notes of a provider about its answer. */
const unsaid: ReadonlySet<string> = new Set(['reasoning', 'custom'])

function isBlank({ text }: Part): boolean {
  return typeof text === 'string' && text.trim() === ''
}

const emptyReasons: Readonly<Record<string, string>> = {
  length: 'it was cut off by the length limit before its first word',
  'content-filter': 'it was withheld by the provider',
}

async function gatherTools(work: TurnWork, { agent, chosen }: Using, ports: TurnPorts) {
  const { turn } = work
  const [offered, held] = await Promise.all([ports.offer(turn.caller), readHeldNames(work, ports)])
  const offer = holdNames(offered, held)
  const { tools, wireNames } = dressTools(offer, chosen)
  const leftOut = await addProviderTools(tools, agent, chosen)
  if (turn.step === 0) {
    for (const tool of leftOut) {
      ports.onWarning(`Agent ${agent.slug}: ${tool} is left out, for a tool of its name is here`)
    }
  }
  return { tools, wireNames, offer }
}

async function beginPass(
  { turn }: TurnWork,
  { calls, raw }: { calls: readonly ToolPart[]; raw: InputHiding['raw'] },
  ports: TurnPorts,
): Promise<WaitingPass> {
  const deadlineAt = Math.min(ports.now() + ports.limits.waitMs, turn.bounds.deadlineAt ?? Infinity)
  const groupId = await ports.groups.create({
    tenant: turn.tenant,
    continuation: { kind: turnKind, data: { turnId: turn.id } },
    deadlineAt,
  })
  const passCalls = calls.map(({ toolCallId }) => ({ toolCallId }))
  const pass = { groupId, isMade: false, calls: passCalls }
  if (raw.size === 0) return pass
  return { ...pass, sealedInput: ports.inputs.seal(turn.id, Object.fromEntries(raw)) }
}
