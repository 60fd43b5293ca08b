import type { Caller } from '../call.ts'
import { ToolError } from '../errors.ts'
import { decide } from '../policy/decide.ts'
import type { CallLog, OrphanedCall } from '../ports.ts'
import { isRedacted } from '../secrets/is-redacted.ts'
import { callTool, toolNotFound } from './call-tool.ts'
import { toCallError } from './call-error.ts'
import { type CallFacts, toSettlement } from './call-facts.ts'
import type { PipelinePorts } from './ports.ts'
import { prepareCall } from './prepare-call.ts'
import { runCall } from './run-call.ts'

const claimAtOnce = 50
/** How often a call may be begun before a crash of its server counts as its own doing. */
const maxAttempts = 3

/**
 * Brings every call of a dead node to an end: what had not started, and background work that may
 * be repeated, runs here; anything else is settled, never repeated silently. Returns how many.
 */
export async function recoverCalls(calls: CallLog, ports: PipelinePorts): Promise<number> {
  let total = 0
  while (true) {
    const orphans = await calls.claimOrphans(claimAtOnce)
    await Promise.all(orphans.map((orphan) => recover(orphan, ports)))
    total += orphans.length
    if (orphans.length < claimAtOnce) return total
  }
}

async function recover(orphan: OrphanedCall, ports: PipelinePorts): Promise<void> {
  if (!mayRunAgain(orphan)) return giveUp(orphan, interrupted(orphan), ports)
  // Not waited for: getting a call ready may take as long as its tool likes, and the server must start.
  void runAgain(orphan, ports).catch(async (error: unknown) => giveUp(orphan, error, ports))
}

async function giveUp(orphan: OrphanedCall, because: unknown, ports: PipelinePorts): Promise<void> {
  try {
    await end(orphan, because, ports)
  } catch (error) {
    ports.onWarning(`${orphan.callId} could not be recovered: ${toCallError(error).message}`)
  }
}

/** A queued call never began, so running it is no repetition whatever it does. */
function mayRunAgain(orphan: OrphanedCall): boolean {
  if (orphan.status === 'queued') return true
  // One that takes its server down every time must not do so for ever.
  if (orphan.attempt >= maxAttempts) return false
  return orphan.status === 'running' && orphan.execution === 'background' && orphan.isRepeatable
}

function interrupted(orphan: OrphanedCall): ToolError {
  if (orphan.isRepeatable) {
    return new ToolError(
      'interrupted',
      'The server stopped before the tool had finished; try again',
    )
  }
  return new ToolError(
    'outcome_unknown',
    'The server stopped while the tool ran; whether it took effect is not known',
    {
      fix: 'Look at what the tool works on before you call it again.',
    },
  )
}

/** Through find, see, parse and decide again: what was allowed before the crash may not be any more. */
async function runAgain(orphan: OrphanedCall, ports: PipelinePorts): Promise<void> {
  const caller = callerOf(orphan)
  const scope = ports.scopeFor(caller)
  const entry = ports.registry.find(orphan.tool)
  if (entry === undefined) throw toolNotFound(orphan.tool)
  const parsed = entry.tool.parseInput(orphan.input)
  if (!parsed.ok)
    throw new ToolError('invalid_input', `The input no longer fits ${orphan.tool}`, {
      issues: parsed.issues,
    })
  if (isRedacted(orphan.input)) {
    throw new ToolError(
      'interrupted',
      'Its input held a secret, which is not kept, so it can only be asked for again',
    )
  }
  const decision = decide(entry, scope)
  if (decision.verdict !== 'allow')
    throw new ToolError('denied', `${orphan.tool} is no longer allowed: ${decision.rule}`)
  const facts: CallFacts = {
    callId: orphan.callId,
    contract: entry.tool.contract,
    caller,
    input: orphan.input,
    decision,
    timeoutMs: orphan.timeoutMs,
    requestedAt: Date.parse(orphan.requestedAt),
    parentId: orphan.parentId,
    idempotencyKey: undefined,
  }
  const request = { tool: orphan.tool, input: orphan.input, caller, respondAsync: true }
  const call = await prepareCall(
    { facts, entry, input: parsed.value, request, runsAfterAnswer: true, callTool },
    ports,
  )
  const writer = ports.recorder.resume(orphan.tenant, orphan.callId)
  void runCall(call, { writer, from: 'queue' }, ports)
}

function callerOf(orphan: OrphanedCall): Caller {
  return {
    tenant: orphan.tenant,
    principal: orphan.principal,
    permissions: orphan.permissions ?? [],
    runtime: orphan.runtime,
    agent: orphan.agent,
    parents: orphan.parents,
    sessionId: orphan.sessionId,
  }
}

async function end(orphan: OrphanedCall, thrown: unknown, ports: PipelinePorts): Promise<void> {
  const facts = {
    callId: orphan.callId,
    caller: callerOf(orphan),
    requestedAt: Date.parse(orphan.requestedAt),
  }
  const settlement = toSettlement(facts, { error: toCallError(thrown), warnings: [] }, { log: {} })
  await ports.recorder.resume(orphan.tenant, orphan.callId).settle(settlement)
}
