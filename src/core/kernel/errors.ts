/**
 * All error codes, each with its meaning and whether a retry may help. Each door maps them to its
 * own terms (HTTP status, exit code, MCP error) in one table.
 */
export const errorCodes = {
  // before a call exists
  tool_not_found: { retryable: false, meaning: 'No tool of that name is visible to this caller' },
  invalid_input: {
    retryable: false,
    meaning: "The input does not match the tool's schema; `issues` say where",
  },
  invalid_request: {
    retryable: false,
    meaning: 'The request itself is malformed: JSON, a parameter, a cursor',
  },
  unauthorized: { retryable: false, meaning: 'No key, or one that is unknown, expired or revoked' },
  forbidden: { retryable: false, meaning: 'The caller is known but lacks a permission' },
  not_found: { retryable: false, meaning: 'There is nothing with that id or name for this caller' },
  method_not_allowed: { retryable: false, meaning: 'The address exists, but not with this method' },
  body_too_large: { retryable: false, meaning: 'The request body is over the limit' },
  unsupported_media_type: {
    retryable: false,
    meaning: 'The content type of the body is not supported',
  },
  idempotency_mismatch: {
    retryable: false,
    meaning: 'The key was used before with different input',
  },
  already_settled: {
    retryable: false,
    meaning: 'The call has already ended; its result does not change',
  },
  already_decided: {
    retryable: false,
    meaning: 'The approval was decided, has expired, or its call has ended',
  },
  conflict: {
    retryable: false,
    meaning: 'It already exists, or was changed by someone else at the same time',
  },
  sign_in_failed: {
    retryable: false,
    meaning: 'Wrong address or password, or a link that has been used',
  },
  tenant_suspended: { retryable: false, meaning: 'The tenant is suspended' },
  rate_limited: { retryable: true, meaning: 'Too many requests; try again later' },
  conversation_busy: {
    retryable: true,
    meaning: 'The conversation is busy, or waits for a decision',
  },
  shutting_down: { retryable: true, meaning: 'The server is stopping and accepts no new calls' },
  // how a call can end
  denied: { retryable: false, meaning: 'Policy does not allow the call' },
  approval_required: { retryable: false, meaning: 'A person must approve the call first' },
  cannot_wait: {
    retryable: false,
    meaning: 'A call it makes would have to wait, and this tool cannot',
  },
  group_closed: { retryable: false, meaning: 'The group is sealed; no more calls can join it' },
  approval_rejected: { retryable: false, meaning: 'A person denied the call' },
  preview_changed: {
    retryable: false,
    meaning: 'The changes that the call would make are not those that were approved',
  },
  not_undoable: {
    retryable: false,
    meaning: 'The call cannot be undone, for the reason in the message',
  },
  approval_expired: { retryable: false, meaning: 'Nobody decided in time' },
  timeout: { retryable: true, meaning: 'The tool did not finish within its time' },
  cancelled: { retryable: false, meaning: 'The call was cancelled' },
  interrupted: {
    retryable: true,
    meaning: 'The server stopped before a repeatable call had finished',
  },
  replay_diverged: {
    retryable: false,
    meaning: 'A resumed call made other calls than before',
  },
  outcome_unknown: {
    retryable: false,
    meaning:
      'The server stopped while a call with an effect was running; the effect may have happened',
  },
  upstream_failed: { retryable: true, meaning: 'Something the tool depends on failed' },
  client_unable: {
    retryable: false,
    meaning: 'The tool asks a question that the caller cannot answer',
  },
  sign_in_required: {
    retryable: false,
    meaning: 'The MCP server of the tool requires the caller to sign in there first',
  },
  model_failed: { retryable: true, meaning: 'The model did not answer, or its provider refused' },
  tool_failed: { retryable: false, meaning: 'The tool reported a failure' },
  tool_crashed: { retryable: false, meaning: 'The tool threw something unexpected' },
  output_invalid: {
    retryable: false,
    meaning: "The output of a read does not match the tool's output schema",
  },
  secret_missing: {
    retryable: false,
    meaning: 'A secret or environment variable that the tool needs is not set',
  },
  budget_exceeded: { retryable: false, meaning: 'The budget is used up' },
  quota_exceeded: { retryable: false, meaning: 'The storage space or count allowed is used up' },
  sandbox_unavailable: {
    retryable: false,
    meaning: 'The sandbox that the tool needs could not be verified as safe',
  },
  workspace_unavailable: {
    retryable: false,
    meaning: 'The files of the workspace cannot be used from this server, or its disk fails',
  },
  call_too_deep: { retryable: false, meaning: 'Nested tool calls are too deep' },
  // definitions and configuration
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
    meaning:
      'A skill has no readable SKILL.md, exceeds a limit, or requests something it may not have',
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

/** One of the error codes. */
export type ErrorCode = keyof typeof errorCodes

/** One problem and its place: `path` is a JSON pointer into the input. */
export interface Issue {
  path: string
  message: string
}

export interface ToolErrorOptions {
  retryable?: boolean
  issues?: readonly Issue[]
  /** How the caller can fix it, in one sentence. */
  fix?: string
  /** Extra fields that a door may show; never a secret. */
  details?: Readonly<Record<string, unknown>>
  cause?: unknown
}

/**
 * The only error class: tools throw it to fail with a code, the platform uses it for every expected
 * failure. An unknown code becomes `tool_failed` with the same message, and is kept in
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

/** Tool folders are not type-checked, so the code may be anything. */
export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(errorCodes, code)
}

/** Without a message: the meaning of the code, or the text passed in place of the code. */
function toMessage(code: unknown, message: unknown): string {
  if (typeof message === 'string') return message
  if (message instanceof Error) return message.message
  return isErrorCode(code) ? errorCodes[code].meaning : String(code)
}

/** True for a ToolError, also one from a second copy of this module (a user's bundle). */
export function isToolError(value: unknown): value is ToolError {
  if (value instanceof ToolError) return true
  return (
    value instanceof Error &&
    value.name === 'ToolError' &&
    isErrorCode((value as { code?: unknown }).code)
  )
}

/** True while the database is temporarily unavailable, so that a retry may help. */
export function isOutage(error: unknown): boolean {
  return isToolError(error) && error.code === 'store_unavailable' && error.retryable
}
