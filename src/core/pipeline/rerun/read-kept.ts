import type { StoredCall } from '../../call-log.ts'
import type { Rerun } from '../../kernel/steps/rerun.ts'
import { ToolError } from '../../kernel/errors.ts'
import type { PlannedStep } from '../../kernel/steps/planned-step.ts'
import { flowKey } from '../../flow/session-flags.ts'
import { findRoot } from '../data-flow.ts'
import type { PipelinePorts } from '../ports.ts'
import type { CallFacts } from '../record/call-facts.ts'
import { keptResults, placeOf } from './kept-results.ts'

type ReadPorts = { calls: Pick<PipelinePorts['calls'], 'findWithInput' | 'listChildren'> }

/** A call that runs a call that runs a call again … is read through all of them. */
const longestChain = 32

/** The results of a call by its steps: its own, and those that it took from the call it runs again. */
export async function readResults(
  call: StoredCall,
  { steps, depth = 0 }: { steps: readonly PlannedStep[]; depth?: number },
  ports: ReadPorts,
): Promise<readonly StoredCall[]> {
  if (depth > longestChain) throw tooLong(call.callId)
  const own = await ports.calls.listChildren(call.tenant, call.callId)
  if (call.rerun?.from === undefined) return own
  const inherited = await readEarlier(call, { steps, rerun: call.rerun, depth }, ports)
  const places = new Set(own.flatMap(({ stepKey }) => (stepKey ? [placeOf(stepKey)] : [])))
  const missing = inherited.filter(({ stepKey = '' }) => !places.has(placeOf(stepKey)))
  return [...missing, ...own]
}

async function readEarlier(
  { tenant, callId }: Pick<StoredCall, 'tenant' | 'callId'>,
  { steps, rerun, depth }: { steps: readonly PlannedStep[]; rerun: Rerun; depth: number },
  ports: ReadPorts,
): Promise<readonly StoredCall[]> {
  const earlier = await ports.calls.findWithInput(tenant, rerun.of)
  if (earlier === undefined) throw gone(callId, rerun)
  const results = await readResults(earlier, { steps, depth: depth + 1 }, ports)
  const { kept } = keptResults(results, { steps, from: rerun.from ?? '' })
  if (kept.length < (rerun.kept ?? 0)) throw gone(callId, rerun)
  return kept
}

/**
 * By step key, the results that a call takes from the one it runs again. Throws if some are no longer
 * on record, because their steps would have their effects a second time.
 */
export async function readKept(
  { facts, steps }: { facts: CallFacts; steps: readonly PlannedStep[] },
  ports: PipelinePorts,
): Promise<ReadonlyMap<string, StoredCall>> {
  const { rerun, callId, caller } = facts
  if (rerun?.from === undefined) return new Map()
  const call = { tenant: caller.tenant, callId }
  const kept = await readEarlier(call, { steps, rerun, depth: 0 }, ports)
  await carryFlags(facts, rerun, ports)
  return new Map(kept.map((result) => [result.stepKey ?? '', result]))
}

/**
 * Without a session, flags belong to the chain of calls that read the data. This chain sees the same
 * data in the results it keeps, so the flags are raised for it as well.
 */
async function carryFlags(
  { caller, callId }: CallFacts,
  { of }: Rerun,
  ports: PipelinePorts,
): Promise<void> {
  const { tenant, principal, agent, sessionId } = caller
  const earlier = await ports.calls.findWithInput(tenant, of)
  if (earlier === undefined || (sessionId !== undefined && sessionId === earlier.sessionId)) return
  const rootId = (await findRoot(earlier, ports)) ?? of
  const from = earlier.sessionId === undefined ? { rootId } : { sessionId: earlier.sessionId }
  const key = flowKey(sessionId === undefined ? { rootId: callId } : { sessionId })
  const [flags, up] = await Promise.all([
    ports.flags.read(tenant, flowKey(from)),
    ports.flags.read(tenant, key),
  ])
  for (const flag of flags) {
    if (up.some(({ kind }) => kind === flag.kind)) continue
    const what = { kinds: [flag.kind], callId: flag.callId, tool: flag.tool }
    const by = { by: principal, sessionId, agent, at: ports.now() }
    await ports.flags.raise({ tenant, key, ...what, ...by })
  }
}

function gone(callId: string, { of }: Rerun): ToolError {
  return new ToolError(
    'not_found',
    `Results that ${callId} takes from ${of} are no longer on record, so it cannot run again from a step`,
    { fix: 'Run it again as a whole.' },
  )
}

function tooLong(callId: string): ToolError {
  return new ToolError(
    'conflict',
    `${callId} has been run again from a step more than ${longestChain} times in a row`,
    { fix: 'Run it again as a whole.' },
  )
}
