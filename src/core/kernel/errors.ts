/**
 * Every failure a caller can meet, in one list. Each says whether trying the same again may
 * help, and what it means. Doors map a code to their own word (HTTP status, exit code, MCP error) in one table each.
 */
export const errorCodes = {
  // before there is a call
  tool_not_found: { retryable: false, meaning: 'No tool of that name is visible to this caller' },
  invalid_input: {
    retryable: false,
    meaning: "The input does not fit the tool's schema; `issues` say where",
  },
  invalid_request: {
    retryable: false,
    meaning: 'The request itself is malformed: JSON, a parameter, a cursor',
  },
  unauthorized: { retryable: false, meaning: 'No key, or one that is unknown, expired or revoked' },
  forbidden: { retryable: false, meaning: 'The caller is known but lacks a permission' },
  not_found: { retryable: false, meaning: 'There is nothing of that id or name for this caller' },
  method_not_allowed: { retryable: false, meaning: 'The address exists, but not with this method' },
  body_too_large: { retryable: false, meaning: 'The request body is over the limit' },
  unsupported_media_type: {
    retryable: false,
    meaning: 'The body is of no type that is taken here',
  },
  idempotency_mismatch: { retryable: false, meaning: 'The key was used before with other input' },
  already_settled: { retryable: false, meaning: 'The call has ended; its end stays as it is' },
  already_decided: {
    retryable: false,
    meaning: 'The approval was decided, has expired, or its call has ended',
  },
  conflict: {
    retryable: false,
    meaning: 'It exists already, or was changed by somebody else meanwhile',
  },
  sign_in_failed: {
    retryable: false,
    meaning: 'Wrong address or password, or a link that is used',
  },
  tenant_suspended: { retryable: false, meaning: 'The tenant is suspended' },
  rate_limited: { retryable: true, meaning: 'Too many requests; try again later' },
  conversation_busy: {
    retryable: true,
    meaning: 'The conversation is at work, or waits for a decision',
  },
  shutting_down: { retryable: true, meaning: 'The server is stopping and takes no new calls' },
  // how a call can end
  denied: { retryable: false, meaning: 'Policy does not allow the call' },
  approval_required: { retryable: false, meaning: 'A person must approve the call first' },
  cannot_wait: {
    retryable: false,
    meaning: 'A call it makes would have to wait, and the tool can not',
  },
  group_closed: { retryable: false, meaning: 'The group is sealed; no more calls can join it' },
  approval_rejected: { retryable: false, meaning: 'A person said no' },
  approval_expired: { retryable: false, meaning: 'Nobody decided in time' },
  timeout: { retryable: true, meaning: 'The tool did not finish within its time' },
  cancelled: { retryable: false, meaning: 'The call was cancelled' },
  interrupted: {
    retryable: true,
    meaning: 'The server stopped before a repeatable call had finished',
  },
  outcome_unknown: {
    retryable: false,
    meaning: 'The server stopped while a call with an effect ran; it may have happened',
  },
  upstream_failed: { retryable: true, meaning: 'Something the tool depends on failed' },
  client_unable: {
    retryable: false,
    meaning: 'The tool asks something that the caller can not answer',
  },
  sign_in_required: {
    retryable: false,
    meaning: 'The MCP server of the tool wants the caller to sign in there first',
  },
  model_failed: { retryable: true, meaning: 'The model did not answer, or its provider refused' },
  tool_failed: { retryable: false, meaning: 'The tool said that it failed' },
  tool_crashed: { retryable: false, meaning: 'The tool threw something unexpected' },
  output_invalid: {
    retryable: false,
    meaning: "The output of a read does not fit the tool's output schema",
  },
  secret_missing: {
    retryable: false,
    meaning: 'A secret or environment variable that the tool needs is not set',
  },
  budget_exceeded: { retryable: false, meaning: 'The budget for this is used up' },
  quota_exceeded: { retryable: false, meaning: 'The space or number allowed is used up' },
  sandbox_unavailable: {
    retryable: false,
    meaning: 'The sandbox the tool needs could not be proven safe',
  },
  call_too_deep: { retryable: false, meaning: 'Tools call each other too deeply' },
  // defining and configuring
  invalid_tool: { retryable: false, meaning: "A tool's definition is not valid" },
  invalid_schema: {
    retryable: false,
    meaning: 'A schema is malformed, too large, or refers outside itself',
  },
  name_taken: { retryable: false, meaning: 'Another tool has this name already' },
  invalid_config: { retryable: false, meaning: 'The configuration is not valid' },
  invalid_policy: {
    retryable: false,
    meaning: 'A policy has a malformed pattern or names something unknown',
  },
  invalid_skill: {
    retryable: false,
    meaning: 'A skill has no readable SKILL.md, breaks a bound, or asks for what it may not have',
  },
  // the store and this machine
  record_failed: {
    retryable: true,
    meaning: 'The call could not be recorded, so it was refused or is not confirmed',
  },
  store_unavailable: { retryable: true, meaning: 'The database does not answer' },
  data_locked: { retryable: false, meaning: 'Another process uses this data folder' },
  data_read_only: { retryable: false, meaning: "The data folder can't be written" },
  data_newer: { retryable: false, meaning: 'The data was made by a newer Toolcrib' },
  data_damaged: {
    retryable: false,
    meaning: 'The data folder is damaged, incomplete, or a copy made while the server ran',
  },
  wrong_master_key: { retryable: false, meaning: 'The master key does not open what is stored' },
  server_unreachable: { retryable: true, meaning: 'No server answers at that address' },
  internal: { retryable: false, meaning: 'A bug in Toolcrib; the log has the details' },
} as const satisfies Record<string, { retryable: boolean; meaning: string }>

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

/**
 * The one error class: tools throw it to fail with a code, the platform uses it for everything expected.
 * A code that is not in the list fails as `tool_failed` with the same message, and stands in
 * `details.code`. A message alone is fine, too.
 */
export class ToolError extends Error {
  override readonly name = 'ToolError'
  readonly code: ErrorCode
  readonly retryable: boolean
  readonly issues: readonly Issue[]
  readonly fix: string | undefined
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: ErrorCode, message: string, options?: ToolErrorOptions) {
    const isKnown = isErrorCode(code)
    super(toMessage(code, message), { cause: options?.cause })
    this.code = isKnown ? code : 'tool_failed'
    this.retryable = options?.retryable ?? errorCodes[this.code].retryable
    this.issues = options?.issues ?? []
    this.fix = options?.fix
    this.details = isKnown ? (options?.details ?? {}) : { ...options?.details, code }
  }
}

/** Nothing type-checks a folder of tools, so that a code may be anything. */
function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(errorCodes, code)
}

/** Without a message: what the code means, or the text that was given in its place. */
function toMessage(code: unknown, message: unknown): string {
  if (typeof message === 'string') return message
  if (message instanceof Error) return message.message
  return isErrorCode(code) ? errorCodes[code].meaning : String(code)
}

/** True for our own error, also when it comes from a second copy of this module (a user's bundle). */
export function isToolError(value: unknown): value is ToolError {
  if (value instanceof ToolError) return true
  return (
    value instanceof Error &&
    value.name === 'ToolError' &&
    isErrorCode((value as { code?: unknown }).code)
  )
}

/** Is the database away for now, so that asking again may help? */
export function isOutage(error: unknown): boolean {
  return isToolError(error) && error.code === 'store_unavailable' && error.retryable
}
