import type { Caller, Completion, Decision } from '../call.ts'
import { isToolError, ToolError } from '../errors.ts'
import type { Permit } from '../limits/permit.ts'
import type { FlowFacts } from '../flow/session-flags.ts'
import { toNamed } from '../policy/compiled-scope.ts'
import { decide } from '../policy/decide.ts'
import { settingsFor } from '../policy/settings-for.ts'
import type { Scope } from '../policy/scope.ts'
import type { StoredCall } from '../call-log.ts'
import type { RegisteredTool } from '../registry.ts'
import type { JsonValue } from '../tool.ts'
import { checkSecrets, secretMissing } from '../secrets/requirements.ts'
import { readSensitive } from '../secrets/sensitive-of-call.ts'
import { retryStore } from './run/retry-store.ts'
import { findRuleFor } from './ask-person.ts'
import { runIn, takePermit } from './call-permit.ts'
import { callTool } from './call-tool.ts'
import { toCallError } from './record/call-error.ts'
import { type CallFacts, toSettlement } from './record/call-facts.ts'
import { decideFlow, findRoot, isFlowDecided, toFlowFacts } from './data-flow.ts'
import { createCompletion, hashToken } from './context/completion-token.ts'
import { fillInput, type FilledInput, holdUploads } from './input-files.ts'
import type { PipelinePorts } from './ports.ts'
import { type PreparedCall, prepareCall } from './context/prepare-call.ts'
import { runCall } from './run/run-call.ts'
import { defaultQueue } from './record/work-order.ts'

/** How often a node may die over a call before that counts as the call's own doing. */
const maxTakeovers = 3
/** A database that does not answer is asked again for about three seconds; then another node may try. */
const longestDelayMs = 1600
const restMs = 1000

/** It ran here (true), its tool is not here (false), or a limit has no permit left for it yet. */
export type QueuedRun = boolean | { againInMs: number }

/**
 * Runs a call that was taken from the queue, through find, parse and decide again: what was allowed
 * when it was asked for may not be any more. Resolves when its run has ended here; false when its
 * tool is not on this node. Rejects when the store does not answer, and when its tenant is suspended.
 */
export async function runQueued(stored: StoredCall, ports: PipelinePorts): Promise<QueuedRun> {
  if (stored.status === 'running' && !mayTakeOver(stored)) {
    await endStored(stored, interrupted(stored), ports)
    return true
  }
  const entry = await findEntry(stored, ports)
  if (entry === undefined) return false
  let prepared: PreparedRun
  try {
    prepared = await prepareStored(stored, entry, ports)
  } catch (error) {
    // It stays as it is until the tenant is taken up again: it was not refused, only put off.
    if (isToolError(error) && error.code === 'tenant_suspended') throw error
    const againInMs = ports.limiter.returnInMs(stored.tenant, error) ?? afterOutageMs(error)
    if (againInMs !== undefined) return { againInMs }
    await endStored(stored, error, ports)
    return true
  }
  try {
    await runPrepared(prepared, stored, ports)
    return true
  } finally {
    prepared.call.control.release()
    prepared.permit?.leave()
  }
}

/** A tool that its tenant has for itself may not have been looked for on this node yet. */
async function findEntry(
  { tool, tenant }: StoredCall,
  { registry, readyTools }: PipelinePorts,
): Promise<RegisteredTool | undefined> {
  const known = registry.find(tool, tenant)
  if (known !== undefined || !tool.includes(':')) return known
  await readyTools(tenant)
  return registry.find(tool, tenant)
}

/** Nothing has begun yet, so a database that is away for a moment is no reason to fail. */
function afterOutageMs(error: unknown): number | undefined {
  return isToolError(error) && error.code === 'store_unavailable' ? restMs : undefined
}

/** A stored call that may run, with the permit it takes. */
interface PreparedRun {
  call: PreparedCall
  permit: Permit | undefined
}

async function runPrepared(
  { call, permit }: PreparedRun,
  stored: StoredCall,
  ports: PipelinePorts,
): Promise<void> {
  const started = await start(stored, call.context.completion, ports)
  if (started === undefined) return
  const work = stored.work ?? { queue: defaultQueue, priority: 0 }
  const queued = { attempt: started.attempt, work, failures: stored.failures }
  const writer = ports.recorder.resume({ ...stored, attempt: started.attempt })
  await runIn(permit, call, () => runCall(call, { writer, durable: true, queued }, ports))
}

/** Settles a stored call without running it, unless it has moved on since it was found. */
export async function endStored(
  stored: StoredCall,
  because: unknown,
  ports: PipelinePorts,
): Promise<void> {
  const facts = {
    callId: stored.callId,
    caller: callerOf(stored),
    requestedAt: Date.parse(stored.requestedAt),
  }
  const error = toCallError(because)
  const details = { log: {}, settledAt: ports.now() }
  const settlement = toSettlement(facts, { error, warnings: [] }, details)
  const guarded = { ...settlement, attempt: stored.attempt, from: stored.status, hadJob: true }
  const isSettled = await ports.recorder.resume(stored).settle(guarded)
  if (!isSettled) return
  ports.onSettled({
    tool: stored.tool,
    status: settlement.status,
    durationMs: settlement.settledAt - facts.requestedAt,
  })
  ports.work.wake()
}

/** Who asked for a stored call, as far as its record can vouch for it. */
export function callerOf(stored: StoredCall): Caller {
  return {
    tenant: stored.tenant,
    principal: stored.principal,
    permissions: stored.permissions ?? [],
    runtime: stored.runtime,
    agent: stored.agent,
    parents: stored.parents,
    skill: stored.skill,
    sessionId: stored.sessionId,
    onBehalfOf: stored.onBehalfOf,
    ...(stored.person !== undefined && { person: stored.person }),
  }
}

/** A node died over it. What may be repeated is, but not for ever: it may be what kills them. */
function mayTakeOver(stored: StoredCall): boolean {
  return stored.isRepeatable && stored.takeovers < maxTakeovers
}

/** The end of a call whose node died in the middle of it. */
export function interrupted(stored: Pick<StoredCall, 'isRepeatable'>): ToolError {
  if (stored.isRepeatable) {
    return new ToolError(
      'interrupted',
      'The server stopped before the tool had finished; try again',
    )
  }
  return new ToolError(
    'outcome_unknown',
    'The server stopped while the tool ran; whether it took effect is not known',
    { fix: 'Look at what the tool works on before you call it again.' },
  )
}

/** What is recorded instead of a secret is no input to run with. */
export function inputLost(tool: string): ToolError {
  return new ToolError(
    'secret_missing',
    `The input of ${tool} held a secret and can not be read any more: the master key it was sealed with is gone`,
    {
      fix: 'Put the old master key back below the one in use, or call again with the whole input.',
    },
  )
}

async function prepareStored(
  stored: StoredCall,
  entry: RegisteredTool,
  ports: PipelinePorts,
): Promise<PreparedRun> {
  const caller = await ports.callerNow(callerOf(stored))
  if (stored.isInputLost) throw inputLost(stored.tool)
  const input = stored.rawInput ?? stored.input
  const { filled, parsed } = await parseStored(stored, { entry, input, caller }, ports)
  const scope = await ports.scopeFor(caller)
  const { decision, flow, rootId } = await decideAgain(stored, { entry, caller, scope }, ports)
  if (decision.layer === 'needs') assertSecrets(entry, scope)
  if (!(await isStillAllowed(decision, { stored, entry, scope }, ports))) {
    throw new ToolError('denied', `${stored.tool} is no longer allowed: ${decision.rule}`)
  }
  const facts: CallFacts = {
    callId: stored.callId,
    contract: entry.contract,
    caller,
    input,
    decision,
    settings: settingsFor(entry, scope),
    timeoutMs: stored.timeoutMs,
    requestedAt: Date.parse(stored.requestedAt),
    parentId: stored.parentId,
    groupId: stored.groupId,
    idempotencyKey: undefined,
    flow,
  }
  // What it has called before it had to wait is not called again.
  const earlier = stored.hasWaited
    ? await ports.calls.listChildren(stored.tenant, stored.callId)
    : []
  const isNested = stored.parentId !== undefined
  // What the tools above passed down is as secret now as it was when they did.
  const secrets = isNested ? await readSensitive(stored, ports) : undefined
  const completion = isExternal(entry)
    ? createCompletion(stored.callId, ports.now() + completionMsOf(stored, facts), ports.work)
    : undefined
  // Counted when it first ran; what it takes up while it runs it takes up each time.
  const permit = await takePermit({ entry, scope }, { caller, isAgain: stored.attempt > 0 }, ports)
  const held = permit?.held
  const request = {
    tool: stored.tool,
    input,
    caller,
    depth: isNested ? 1 : 0,
    secrets,
    held,
    rootId,
  }
  const how = { request, filled, runsAfterAnswer: true, earlier, completion, callTool }
  try {
    const call = await prepareCall({ facts, entry, input: parsed, ...how }, ports)
    return { call, permit }
  } catch (error) {
    permit?.leave()
    throw error
  }
}

/** The input as the tool has it now, with the files that it names. */
async function parseStored(
  { callId, tool }: StoredCall,
  { entry, input, caller }: { entry: RegisteredTool; input: JsonValue; caller: Caller },
  ports: PipelinePorts,
): Promise<{ filled: FilledInput; parsed: unknown }> {
  const filled = await fillInput(entry.contract, { input, caller }, ports)
  const parsed = entry.tool.parseInput(filled.input)
  if (!parsed.ok) {
    throw new ToolError('invalid_input', `The input no longer fits ${tool}`, {
      issues: parsed.issues,
    })
  }
  // An edited input may name others than the first one did.
  await holdUploads({ callId, caller }, filled.uploads, ports)
  return { filled, parsed: parsed.value }
}

/** Whoever reads of its end should set the secret, and not look for a policy. */
export function assertSecrets({ contract }: RegisteredTool, scope: Scope): void {
  const { missing } = checkSecrets(contract.secrets, scope.secrets)
  if (missing.length > 0) throw secretMissing(contract.name, missing)
}

/**
 * As for a new call. The data-flow rule has its word until the tool begins: a run that is resumed or
 * tried again was allowed with what had been seen then, and what it calls is decided on its own.
 */
async function decideAgain(
  stored: StoredCall,
  { entry, caller, scope }: { entry: RegisteredTool; caller: Caller; scope: Scope },
  ports: PipelinePorts,
): Promise<{ decision: Decision; flow: FlowFacts | undefined; rootId: string | undefined }> {
  const found = { entry, scope, decision: decide(entry, scope) }
  const rootId = stored.sessionId === undefined ? await findRoot(stored, ports) : undefined
  const flow = toFlowFacts(found, rootId)
  const of = { caller, rootId }
  if (stored.attempt > 0 || !isFlowDecided(found, of)) {
    return { decision: found.decision, flow, rootId }
  }
  return { decision: await decideFlow(found, of, ports), flow, rootId }
}

/** What a person has to be asked about was: about this call, or about its like, and that was not revoked since. */
async function isStillAllowed(
  decision: Decision,
  { stored, entry, scope }: { stored: StoredCall; entry: RegisteredTool; scope: Scope },
  ports: PipelinePorts,
): Promise<boolean> {
  if (decision.verdict !== 'ask') return decision.verdict === 'allow'
  if (stored.isApproved) return true
  const { tenant, agent, principal, person, onBehalfOf, input } = stored
  const { name: tool, effect } = entry.contract
  const terms = ports.approvals.termsFor(toNamed(entry), scope)
  const who = { tenant, agent, principal, person, onBehalfOf }
  const call = { ...who, input, tool, effect, terms, reasons: decision.reasons }
  return (await findRuleFor(call, Date.parse(stored.requestedAt), ports)) !== undefined
}

async function start(
  stored: StoredCall,
  completion: Completion | undefined,
  ports: PipelinePorts,
): Promise<{ attempt: number } | undefined> {
  const data = { attempt: stored.attempt + 1 }
  const begin = {
    from: stored.status as 'queued' | 'running',
    attempt: stored.attempt,
    tokenHash: completion && (await hashToken(completion.token)),
    events: [{ type: 'call.started' as const, at: ports.now(), data }],
  }
  return retryStore(() => ports.calls.start(stored.tenant, stored.callId, begin), longestDelayMs)
}

/**
 * To whoever asks an agent, its answer is the tool's own doing, and the time for the tool is the time
 * for the answer. A tool that asks one waits in storage, where its own time stands still.
 */
function completionMsOf(
  { parentId, timeoutMs }: StoredCall,
  { contract, settings }: Pick<CallFacts, 'contract' | 'settings'>,
): number {
  if (contract.source !== 'agent') return contract.completionMs
  return parentId === undefined ? timeoutMs : (settings.timeoutMs ?? contract.timeoutMs)
}

function isExternal({ contract }: RegisteredTool): boolean {
  return contract.execution === 'external'
}
