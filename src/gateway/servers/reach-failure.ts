import { isToolError, ToolError } from '../../core/kernel/errors.ts'

/** Why a server could not be reached, for the server itself and for its users. */
export interface ReachFailure {
  reason: string
  /** Somebody has to sign in; the server is well. */
  needsSignIn: boolean
  /** Names the server. */
  error: ToolError
}

export function toReachFailure(thrown: unknown, server: string): ReachFailure {
  const known = isToolError(thrown) ? thrown : new ToolError('upstream_failed', String(thrown))
  const reason = known.message.slice(0, 1000)
  const needsSignIn = known.details['needsSignIn'] === true
  if (known.code === 'sign_in_required') return { reason, needsSignIn, error: known }
  const { retryable, details } = known
  if (needsSignIn) {
    const fix = known.fix ?? `Sign in to it: toolcrib mcp login ${server}`
    const message = `${server} asks for a sign-in`
    return {
      reason,
      needsSignIn,
      error: new ToolError('sign_in_required', message, { fix, details }),
    }
  }
  const more = { retryable, details, ...(known.fix !== undefined && { fix: known.fix }) }
  return { reason, needsSignIn, error: new ToolError(known.code, `${server}: ${reason}`, more) }
}

export function switchedOff(server: string): ToolError {
  return new ToolError('upstream_failed', `${server} was disabled or restarted`, {
    fix: 'Try again: after a restart it is available.',
  })
}
