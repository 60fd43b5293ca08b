import type { CallRecord, CallResult } from './call.ts'

/** The result part of a stored call: what its caller would have been answered. */
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
