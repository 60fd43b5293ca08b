import type { CallResult } from '../kernel/call.ts'
import { type ErrorCode, isToolError } from '../kernel/errors.ts'
import { emptyRedactor } from '../secrets/redact.ts'
import { askingFirst } from './admission-rules.ts'
import { admit } from './admit.ts'
import type { ChainedRequest } from './chained-request.ts'
import { openWaiting } from './endings/ask.ts'
import { findConsent } from './endings/find-consent.ts'
import type { PipelinePorts } from './ports.ts'
import { presentError, toCallError } from './record/call-error.ts'

/** Errors that the call itself will report. */
const reportedByCall: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'tool_not_found',
  'invalid_input',
])

/**
 * Admits a request and stores it as waiting if a person must approve it. Undefined when no approval
 * is needed, and for invalid requests: calling the tool reports the error. For doors that need to
 * know before the call whether it will wait. Never rejects.
 */
export async function askFirst(
  given: ChainedRequest,
  ports: PipelinePorts,
): Promise<CallResult | undefined> {
  const leave = ports.running.enter()
  try {
    const admission = await admit(given, askingFirst, ports)
    if (admission.facts.decision.verdict !== 'ask') return undefined
    const consent = await findConsent(admission, ports)
    if (consent.kind !== 'missing') return undefined
    // The caller wants the status of the call, not to wait for it.
    const request = { ...admission.request, respondAsync: true }
    return await openWaiting({ ...admission, request, facts: consent.facts }, consent, ports)
  } catch (error) {
    if (isToolError(error) && reportedByCall.has(error.code)) return undefined
    return { status: 'failed', error: presentError(toCallError(error), emptyRedactor) }
  } finally {
    leave()
  }
}
