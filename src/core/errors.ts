/**
 * Every failure a caller can meet, in one list. The value says whether trying the same again may
 * help. Doors map a code to their own word (HTTP status, exit code, MCP error) in one table each.
 */
export const errorCodes = {
  // before there is a call
  tool_not_found: { retryable: false },
  invalid_input: { retryable: false },
  invalid_request: { retryable: false },
  unauthorized: { retryable: false },
  forbidden: { retryable: false },
  not_found: { retryable: false },
  method_not_allowed: { retryable: false },
  body_too_large: { retryable: false },
  unsupported_media_type: { retryable: false },
  idempotency_mismatch: { retryable: false },
  already_settled: { retryable: false },
  rate_limited: { retryable: true },
  shutting_down: { retryable: true },
  // how a call can end
  denied: { retryable: false },
  approval_required: { retryable: false },
  approval_rejected: { retryable: false },
  approval_expired: { retryable: false },
  timeout: { retryable: true },
  cancelled: { retryable: false },
  interrupted: { retryable: true },
  outcome_unknown: { retryable: false },
  upstream_failed: { retryable: true },
  tool_failed: { retryable: false },
  tool_crashed: { retryable: false },
  output_invalid: { retryable: false },
  secret_missing: { retryable: false },
  budget_exceeded: { retryable: false },
  quota_exceeded: { retryable: false },
  sandbox_unavailable: { retryable: false },
  call_too_deep: { retryable: false },
  // defining and configuring
  invalid_tool: { retryable: false },
  invalid_schema: { retryable: false },
  name_taken: { retryable: false },
  invalid_config: { retryable: false },
  invalid_policy: { retryable: false },
  // the store and this machine
  record_failed: { retryable: true },
  store_unavailable: { retryable: true },
  data_locked: { retryable: false },
  data_read_only: { retryable: false },
  data_newer: { retryable: false },
  wrong_master_key: { retryable: false },
  server_unreachable: { retryable: true },
  internal: { retryable: false },
} as const satisfies Record<string, { retryable: boolean }>

/** A code from the one list of failures. */
export type ErrorCode = keyof typeof errorCodes

/** One thing that is wrong, and where: `path` is a JSON pointer into the input. */
export interface Issue {
  path: string
  message: string
}

export interface ToolErrorOptions {
  retryable?: boolean
  issues?: readonly Issue[]
  /** What the caller can do about it, in one sentence. */
  fix?: string
  /** Further fields that a door may show; never a secret. */
  details?: Readonly<Record<string, unknown>>
  cause?: unknown
}

/** The one error class: tools throw it to fail with a code, the platform uses it for everything expected. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
  readonly code: ErrorCode
  readonly retryable: boolean
  readonly issues: readonly Issue[]
  readonly fix: string | undefined
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: ErrorCode, message: string, options: ToolErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.code = code
    this.retryable = options.retryable ?? errorCodes[code].retryable
    this.issues = options.issues ?? []
    this.fix = options.fix
    this.details = options.details ?? {}
  }
}

/** True for our own error, also when it comes from a second copy of this module (a user's bundle). */
export function isToolError(value: unknown): value is ToolError {
  if (value instanceof ToolError) return true
  return (
    value instanceof Error &&
    value.name === 'ToolError' &&
    typeof (value as { code?: unknown }).code === 'string' &&
    Object.hasOwn(errorCodes, (value as unknown as { code: string }).code)
  )
}
