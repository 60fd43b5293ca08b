import type { Completion } from '../kernel/call.ts'
import type { StoredCall } from '../call-log.ts'
import { isToolError, ToolError } from '../kernel/errors.ts'
import type { Permit } from '../limits/permit.ts'
import { toNamed } from '../policy/compiled-scope.ts'
import type { RegisteredTool } from '../registry.ts'
import { queuedCall } from './admission-rules.ts'
import { admit, type Admission } from './admit.ts'
import { askAgainIfChanged } from './approvals/ask-again.ts'
import { runIn, takePermit } from './call-permit.ts'
import { isToBeMadeAgain } from './context/nested-calls.ts'
import { createCompletion, hashToken } from './context/completion-token.ts'
import { type PreparedCall, prepareCall } from './context/prepare-call.ts'
import { findRuleFor } from './endings/find-consent.ts'
import { withPermit } from './endings/run.ts'
import { holdUploads } from './input-files.ts'
import type { PipelinePorts } from './ports.ts'
import { defaultQueue } from './record/work-order.ts'
import { endStored, interrupted } from './run/end-stored.ts'
import { retryStore } from './run/retry-store.ts'
import { runCall } from './run/run-call.ts'
import { findBegun } from './find-begun.ts'
import { callerOf, toRequest } from './stored-request.ts'

/** A call that outlives this many nodes is ended: it may be what crashes them. */
const maxTakeovers = 3
/**
 * A database that does not answer is retried for about three seconds; then another node may try.
 */
const longestDelayMs = 1600
const outageDelayMs = 1000

/** It ran here (true), its tool is not on this node (false), or a limit or an outage delays it. */
export type QueuedOutcome = boolean | { againInMs: number }

/**
 * Runs a call from the queue. It is admitted again, because it may no longer be allowed. Resolves
 * when its run has ended here. Rejects when the store does not answer, and when its tenant is
 * suspended: the call then stays queued.
 */
export async function runQueued(stored: StoredCall, ports: PipelinePorts): Promise<QueuedOutcome> {
  if (stored.status === 'running' && !(await mayTakeOver(stored, ports))) {
    await endStored(stored, interrupted(stored), ports)
    return true
  }
  if ((await findEntry(stored, ports)) === undefined && !(await isKeptDraft(stored, ports)))
    return false
  let ready: ReadyRun | undefined
  try {
    ready = await prepareStored(stored, ports)
  } catch (error) {
    if (isToolError(error) && error.code === 'tenant_suspended') throw error
    const againInMs = ports.limiter.returnInMs(stored.tenant, error) ?? afterOutageMs(error)
    if (againInMs !== undefined) return { againInMs }
    await endStored(stored, error, ports)
    return true
  }
  // It waits for approval again.
  if (ready === undefined) return true
  try {
    await runReady(ready, stored, ports)
    return true
  } finally {
    ready.call.control.release()
    ready.permit?.leave()
  }
}

/** The node that ran it died. Another node takes over a repeatable call, up to a limit. */
async function mayTakeOver(stored: StoredCall, ports: PipelinePorts): Promise<boolean> {
  const { isRepeatable, isResumable, takeovers } = stored
  if (takeovers < maxTakeovers) return isRepeatable || isResumable === true
  return isResumable === true && hasProgressed(stored, await listEarlier(stored, ports))
}

/** A step ended in the run that was cut off: it is not the call that crashes its nodes. */
function hasProgressed({ startedAt = '' }: StoredCall, steps: readonly StoredCall[]): boolean {
  return steps.some((step) => (step.settledAt ?? '') > startedAt && !isToBeMadeAgain(step))
}

function listEarlier(
  { tenant, callId }: StoredCall,
  { calls }: PipelinePorts,
): Promise<StoredCall[]> {
  return calls.listChildren(tenant, callId)
}

/** The tool of a stored call. Tools of a single tenant may not be loaded on this node yet. */
export async function findEntry(
  { tool, tenant }: Pick<StoredCall, 'tool' | 'tenant'>,
  { registry, readyTools }: Pick<PipelinePorts, 'registry' | 'readyTools'>,
): Promise<RegisteredTool | undefined> {
  const known = registry.find(tool, tenant)
  if (known !== undefined) return known
  await readyTools(tenant)
  return registry.find(tool, tenant)
}

/** A draft that was never published is known only to the calls that try it. */
async function isKeptDraft(stored: StoredCall, ports: PipelinePorts): Promise<boolean> {
  return stored.isTrial === true && (await findBegun(stored, ports)) !== undefined
}

/** Nothing has started yet, so a database outage only delays the call. */
function afterOutageMs(error: unknown): number | undefined {
  return isToolError(error) && error.code === 'store_unavailable' ? outageDelayMs : undefined
}

/** A stored call that may run, with its permit. */
interface ReadyRun {
  call: PreparedCall
  permit: Permit | undefined
}

async function prepareStored(
  stored: StoredCall,
  ports: PipelinePorts,
): Promise<ReadyRun | undefined> {
  const caller = await ports.callerNow(callerOf(stored))
  const candidate = await findBegun(stored, ports)
  const request = {
    ...(await toRequest(stored, { caller }, ports)),
    ...(candidate && { candidate }),
  }
  const admission = await admit(request, queuedCall(stored), ports)
  await assertConsent(admission, stored, ports)
  // An edited input may name uploads that the original didn't.
  await holdUploads(admission, ports)
  if (await askAgainIfChanged(admission, stored, ports)) return undefined
  // Calls that it made before it had to wait are not repeated.
  const hasEarlier = stored.hasWaited || (stored.isResumable === true && stored.attempt > 0)
  const earlier = hasEarlier ? await listEarlier(stored, ports) : []
  const completion = toCompletion(admission, ports)
  const attempt = stored.attempt + 1
  const plan = { runsAfterAnswer: true, earlier, wakes: stored.wakes, attempt, completion }
  // A later attempt takes its permit again but is not counted as another call.
  const permit = await takePermit(admission, { caller, isAgain: stored.attempt > 0 }, ports)
  try {
    const call = await prepareCall(withPermit(admission, permit), plan, ports)
    return { call, permit }
  } catch (error) {
    permit?.leave()
    throw error
  }
}

/** A call that needs approval must have it: its own, or by a rule that is not revoked. */
async function assertConsent(
  { facts, entry, scope }: Admission,
  stored: StoredCall,
  ports: PipelinePorts,
): Promise<void> {
  const { decision, requestedAt } = facts
  if (decision.verdict !== 'ask' || stored.isApproved) return
  const { tenant, agent, principal, person, onBehalfOf, input } = stored
  const { name: tool, effect } = entry.contract
  const terms = ports.approvals.termsFor(toNamed(entry), scope)
  const who = { tenant, agent, principal, person, onBehalfOf }
  const call = { ...who, input, tool, effect, terms, reasons: decision.reasons }
  if ((await findRuleFor(call, requestedAt, ports)) !== undefined) return
  throw new ToolError('denied', `${stored.tool} is no longer allowed: ${decision.rule}`)
}

function toCompletion({ facts }: Admission, ports: PipelinePorts): Completion | undefined {
  if (facts.contract.execution !== 'external') return undefined
  return createCompletion(facts.callId, ports.now() + completionMsOf(facts), ports.work)
}

/**
 * For its caller, an agent's answer is the tool's own work, so the tool's time limit applies. A
 * tool that calls an agent waits in storage, where its own clock stops.
 */
function completionMsOf({ contract, settings, parentId, timeoutMs }: Admission['facts']): number {
  if (contract.source !== 'agent') return contract.completionMs
  return parentId === undefined ? timeoutMs : (settings.timeoutMs ?? contract.timeoutMs)
}

async function runReady(
  { call, permit }: ReadyRun,
  stored: StoredCall,
  ports: PipelinePorts,
): Promise<void> {
  const started = await start(stored, call, ports)
  if (started === undefined) return
  const work = stored.work ?? { queue: defaultQueue, priority: 0 }
  const queued = { attempt: started.attempt, work, failures: stored.failures }
  const writer = ports.recorder.resume({ ...stored, attempt: started.attempt })
  await runIn(permit, call, () => runCall(call, { writer, durable: true, queued }, ports))
}

async function start(
  stored: StoredCall,
  { context: { completion }, facts: { toolVersion } }: PreparedCall,
  ports: PipelinePorts,
): Promise<{ attempt: number } | undefined> {
  const data = { attempt: stored.attempt + 1 }
  const begin = {
    from: stored.status as 'queued' | 'running',
    attempt: stored.attempt,
    toolVersion,
    tokenHash: completion && (await hashToken(completion.token)),
    events: [{ type: 'call.started' as const, at: ports.now(), data }],
  }
  return retryStore(() => ports.calls.start(stored.tenant, stored.callId, begin), longestDelayMs)
}
