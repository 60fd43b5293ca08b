import type { CallRecord, CallResult } from './call.ts'

/** The result of a stored call, as its caller would have received it. */
export function toCallResult(call: CallRecord): CallResult {
  const { callId, status, output, error, artifact, warnings, waitingFor, approvalId } = call
  const result: CallResult = { callId, status }
  if (waitingFor === 'approval' && approvalId !== undefined) result.approvalId = approvalId
  if (waitingFor !== undefined) result.waitingFor = waitingFor
  if (output !== undefined) result.output = output
  if (error !== undefined) result.error = error
  if (artifact !== undefined) result.artifact = artifact
  if (warnings !== undefined) result.warnings = warnings
  return result
}
