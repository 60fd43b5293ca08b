import { ToolError } from '../../core/kernel/errors.ts'

const callIdPattern = /^call_([0-9a-f]{32})$/

/** The uuid inside a call's id, as 32 hex digits; undefined for anything else, which then finds nothing. */
export function parseCallId(callId: string): string | undefined {
  return callIdPattern.exec(callId)?.[1]
}

/** The same for ids that we made ourselves. */
export function requireCallId(callId: string): string {
  const uuid = parseCallId(callId)
  if (uuid !== undefined) return uuid
  throw new ToolError('invalid_request', `${callId} is not the id of a call.`)
}

/** From a uuid as PostgreSQL prints it. */
export function toCallId(uuid: string): string {
  return `call_${uuid.replaceAll('-', '')}`
}
