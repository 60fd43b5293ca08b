import type { CallResult } from '../kernel/call.ts'
import { emptyRedactor } from '../secrets/redact.ts'
import { newCall } from './admission-rules.ts'
import { admit, type Admission } from './admit.ts'
import { countRefused } from './refuse-limits.ts'
import type { ChainedRequest } from './chained-request.ts'
import { ask, cannotWait } from './endings/ask.ts'
import { enqueue } from './endings/enqueue.ts'
import { run } from './endings/run.ts'
import { callShielded } from './shielded/call-shielded.ts'
import type { PipelinePorts, WorkPort } from './ports.ts'
import { presentError, toCallError } from './record/call-error.ts'

/**
 * One call of a tool, from request to settled result: admit it, then ask, enqueue or run. Never
 * rejects: errors are in the result. A result without a `callId` was refused before a call existed.
 */
export async function callTool(given: ChainedRequest, ports: PipelinePorts): Promise<CallResult> {
  if (given.shield !== undefined) return callShielded(given, given.shield, ports)
  const leave = ports.running.enter()
  let admission: Admission | undefined
  try {
    admission = delayed(await admit(given, newCall, ports), ports)
    if (admission.facts.decision.verdict === 'ask') {
      const answer = await ask(admission, ports)
      if (answer !== undefined) return answer
    }
    refuseUnwaitable(admission)
    const runsAfterAnswer = mayRunAfterAnswer(admission, ports.work)
    return await (runsAfterAnswer ? enqueue(admission, ports) : run(admission, ports))
  } catch (error) {
    // `admit` counts its own refusals.
    const reported = admission === undefined ? error : await countLate(error, admission, ports)
    return { status: 'failed', error: presentError(toCallError(reported), emptyRedactor) }
  } finally {
    leave()
  }
}

function countLate(
  error: unknown,
  { request, scope, entry }: Admission,
  ports: PipelinePorts,
): Promise<unknown> {
  return countRefused(error, { caller: request.caller, scope, entry }, ports)
}

/** A call that is completed from outside, or starts later, needs a caller who can wait for that. */
function refuseUnwaitable({ request, entry: { contract } }: Admission): void {
  if (request.mayWait !== false) return
  const { name, execution } = contract
  if (execution === 'external')
    throw cannotWait(`${name} is completed from outside`, request.heldBy)
  if (request.startAt !== undefined) throw cannotWait(`${name} starts later`, request.heldBy)
}

/** A tool may start later than it is called. */
function delayed(admission: Admission, { now }: Pick<PipelinePorts, 'now'>): Admission {
  const { entry, request, input, facts } = admission
  if (entry.tool.startAt === undefined || request.startAt !== undefined) return admission
  const startAt = entry.tool.startAt(input, now())
  if (startAt === undefined) return admission
  if (facts.step !== undefined) facts.idempotencyKey ??= facts.step.idempotencyKey
  return { ...admission, request: { ...request, startAt } }
}

/**
 * Long work answers first. A nested call doesn't, because the tool above needs its result, unless
 * the result can only come from outside. A step does if its parent can wait for it.
 */
function mayRunAfterAnswer(
  { request, facts: { contract, settings } }: Admission,
  { isRunner }: Pick<WorkPort, 'isRunner'>,
): boolean {
  if (contract.execution === 'external') return true
  const isBackground = (settings.execution ?? contract.execution) === 'background' && isRunner
  if ((request.depth ?? 0) > 0 && request.startAt === undefined) {
    return isBackground && request.step !== undefined && request.mayWait !== false
  }
  return (
    isBackground ||
    request.respondAsync === true ||
    request.startAt !== undefined ||
    request.priority !== undefined
  )
}
