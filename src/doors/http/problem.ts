import { isToolError } from '../../core/kernel/errors.ts'
import type { ErrorCode, Issue, ToolError } from '../../core/kernel/errors.ts'

/** The HTTP status of each code: the one table of this door. */
export const problemKinds = {
  tool_not_found: { status: 404, title: 'No such tool' },
  invalid_input: { status: 422, title: 'The input does not match the schema of the tool' },
  invalid_request: { status: 400, title: 'The request is not well formed' },
  unauthorized: { status: 401, title: 'A key is needed' },
  forbidden: { status: 403, title: 'Not allowed' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'This method is not offered here' },
  body_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The body is of the wrong type' },
  idempotency_mismatch: { status: 422, title: 'The idempotency key was used with other input' },
  already_settled: { status: 409, title: 'The call has settled' },
  already_decided: { status: 409, title: 'The approval is closed' },
  conflict: { status: 409, title: 'It is there already, or has changed' },
  sign_in_failed: { status: 401, title: 'Signing in failed' },
  tenant_suspended: { status: 403, title: 'The tenant is suspended' },
  rate_limited: { status: 429, title: 'Too many requests' },
  conversation_busy: { status: 409, title: 'The conversation is busy' },
  shutting_down: { status: 503, title: 'The server is shutting down' },
  denied: { status: 403, title: 'The call was denied' },
  approval_required: { status: 403, title: 'A person must approve this call' },
  cannot_wait: { status: 409, title: 'A nested call would have to wait' },
  group_closed: { status: 409, title: 'The group takes no more calls' },
  approval_rejected: { status: 403, title: 'The approval was rejected' },
  preview_changed: { status: 409, title: 'The preview has changed' },
  not_undoable: { status: 409, title: 'The call cannot be undone' },
  approval_expired: { status: 403, title: 'The approval expired' },
  timeout: { status: 504, title: 'The time was up' },
  cancelled: { status: 409, title: 'The call was cancelled' },
  interrupted: { status: 503, title: 'The call was interrupted' },
  replay_diverged: { status: 409, title: 'The call could not continue' },
  outcome_unknown: { status: 500, title: 'Nobody knows how the call ended' },
  upstream_failed: { status: 502, title: 'A service the tool relies on failed' },
  tool_failed: { status: 500, title: 'The tool failed' },
  tool_crashed: { status: 500, title: 'The tool crashed' },
  output_invalid: { status: 500, title: 'The tool gave an unfit output' },
  secret_missing: { status: 409, title: 'A secret or environment variable is not set' },
  budget_exceeded: { status: 429, title: 'The budget is used up' },
  quota_exceeded: { status: 429, title: 'The quota is used up' },
  client_unable: { status: 422, title: 'The caller can not answer what the tool asks' },
  sign_in_required: { status: 409, title: 'The server of the tool wants a sign-in first' },
  model_failed: { status: 502, title: 'The model did not answer' },
  sandbox_unavailable: { status: 503, title: 'No sandbox on this machine' },
  workspace_unavailable: { status: 503, title: 'Workspace not usable' },
  call_too_deep: { status: 422, title: 'Tools call each other too deep' },
  invalid_tool: { status: 422, title: 'The tool is not well defined' },
  invalid_schema: { status: 422, title: 'The schema can not be used' },
  name_taken: { status: 409, title: 'The name is taken' },
  invalid_config: { status: 422, title: 'The configuration is not valid' },
  invalid_policy: { status: 422, title: 'The policy is not valid' },
  invalid_skill: { status: 422, title: 'The skill can not be used' },
  record_failed: { status: 503, title: 'The call could not be recorded' },
  store_unavailable: { status: 503, title: 'The store does not answer' },
  data_locked: { status: 503, title: 'The data folder is in use' },
  data_read_only: { status: 503, title: 'The data folder is read-only' },
  data_newer: { status: 503, title: 'The data folder is from a newer version' },
  data_damaged: { status: 503, title: 'The data folder is damaged or incomplete' },
  wrong_master_key: { status: 503, title: 'The master key is wrong' },
  server_unreachable: { status: 502, title: 'The server can not be reached' },
  internal: { status: 500, title: 'Something went wrong here' },
} as const satisfies Record<ErrorCode, { status: number; title: string }>

/** An RFC 9457 answer, with our code and fix. */
export interface Problem {
  type: string
  title: string
  status: number
  detail: string
  code: ErrorCode
  retryable: boolean
  requestId: string
  instance?: string
  callId?: string
  issues?: readonly Issue[]
  fix?: string
  /** When to come back, where that is known; also in `Retry-After`. */
  retryAfterMs?: number
  /** Of `tool_not_found`: what explain answers the reason for. */
  refusalId?: string
}

/** The source of a problem: a ToolError and the error of a call result both fit. */
export interface ProblemSource {
  code: ErrorCode
  message: string
  retryable: boolean
  issues?: readonly Issue[]
  fix?: string
  retryAfterMs?: number
  refusalId?: string
  details?: Readonly<Record<string, unknown>>
}

export interface ProblemPlace {
  requestId: string
  /** The path that was asked for, never its query: that may hold a token. */
  instance?: string
  callId?: string
  /** Another status than the code's own: 431 and 408 have no code of their own. */
  status?: number
}

/** The problem document of an expected failure. */
export function toProblem(source: ProblemSource, place: ProblemPlace): Problem {
  const kind = problemKinds[source.code]
  const problem: Problem = {
    type: `/docs#error-${source.code}`,
    title: kind.title,
    status: place.status ?? kind.status,
    detail: source.message,
    code: source.code,
    retryable: source.retryable,
    requestId: place.requestId,
  }
  if (place.instance !== undefined) problem.instance = place.instance
  if (place.callId !== undefined) problem.callId = place.callId
  if (source.issues !== undefined && source.issues.length > 0) problem.issues = source.issues
  if (source.fix !== undefined) problem.fix = source.fix
  if (source.retryAfterMs !== undefined) problem.retryAfterMs = source.retryAfterMs
  const refusalId = source.refusalId ?? source.details?.['refusalId']
  if (typeof refusalId === 'string') problem.refusalId = refusalId
  return problem
}

/**
 * The part of a thrown value that the client may see. Anything that is not our own error is a bug:
 * its message may contain anything, so the client gets only the request id to look it up by.
 */
export function toProblemSource(thrown: unknown, requestId: string): ProblemSource {
  if (isToolError(thrown)) {
    const { retryAfterMs } = thrown.details
    return typeof retryAfterMs === 'number' ? withRetry(thrown, retryAfterMs) : thrown
  }
  return {
    code: 'internal',
    message: `Something went wrong here. The server's log has it under ${requestId}.`,
    retryable: false,
  }
}

/** Copied by name: what an error inherits would be lost in a spread. */
function withRetry(error: ToolError, retryAfterMs: number): ProblemSource {
  const { code, message, retryable, issues, fix } = error
  return { code, message, retryable, issues, ...(fix !== undefined && { fix }), retryAfterMs }
}
