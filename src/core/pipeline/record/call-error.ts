import type { CallError } from '../../kernel/call.ts'
import { errorCodes, isToolError, type Issue, type ToolError } from '../../kernel/errors.ts'
import { refusalIdPattern } from '../../explain/refusals.ts'
import { maxFindings } from '../../schema/findings.ts'
import type { Redactor } from '../../secrets/redact.ts'

/** Models and people read failures; longer text belongs in an output. */
const maxMessageChars = 4000
/** Including the one that reports that there are more. */
const maxIssues = maxFindings + 1

/**
 * Converts any thrown value to the one error shape. An unknown value is a crash of the tool, not of
 * the platform. Assumes nothing: the tool sets the fields of an error, to any value.
 */
export function toCallError(thrown: unknown): CallError {
  if (!isToolError(thrown)) {
    return { code: 'tool_crashed', message: messageOf(thrown), retryable: false }
  }
  const { code, issues, fix } = thrown
  const retryable: unknown = thrown.retryable
  const error: CallError = {
    code,
    message: messageOf(thrown),
    retryable: typeof retryable === 'boolean' ? retryable : errorCodes[code].retryable,
  }
  const clean = toIssues(issues)
  if (clean.length > 0) error.issues = clean
  if (typeof fix === 'string') error.fix = fix
  const after: unknown = (thrown.details as typeof thrown.details | undefined)?.['retryAfterMs']
  if (typeof after === 'number' && after >= 0 && after < Infinity)
    error.retryAfterMs = Math.ceil(after)
  const refusalId: unknown = (thrown.details as Partial<ToolError['details']> | undefined)?.[
    'refusalId'
  ]
  if (typeof refusalId === 'string' && refusalIdPattern.test(refusalId)) error.refusalId = refusalId
  return error
}

/** The error as callers and the log get it: first redacted, and only then cut. */
export function presentError(error: CallError, redactor: Redactor): CallError {
  const clean = (text: string) => cut(redactor.redactText(text))
  const presented: CallError = { ...error, message: clean(error.message) }
  if (error.fix !== undefined) presented.fix = clean(error.fix)
  if (error.issues !== undefined) {
    presented.issues = error.issues
      .slice(0, maxIssues)
      .map(({ path, message }) => ({ path: clean(path), message: clean(message) }))
  }
  return presented
}

/** Never splits a surrogate pair. */
function cut(text: string): string {
  if (text.length <= maxMessageChars) return text
  return text.slice(0, maxMessageChars - 1).replace(/[\uD800-\uDBFF]$/, '') + '…'
}

function messageOf(thrown: unknown): string {
  try {
    if (!(thrown instanceof Error)) return `The tool threw ${String(thrown)}`
    const message: unknown = thrown.message
    if (typeof message === 'string') return message || thrown.name
    return `The tool threw an error whose message is ${JSON.stringify(message) ?? typeof message}`
  } catch {
    return 'The tool threw something that cannot be shown'
  }
}

function toIssues(issues: unknown): Issue[] {
  if (!Array.isArray(issues)) return []
  return issues.flatMap((issue: Partial<Issue> | null | undefined) =>
    typeof issue?.path === 'string' && typeof issue.message === 'string'
      ? [{ path: issue.path, message: issue.message }]
      : [],
  )
}
