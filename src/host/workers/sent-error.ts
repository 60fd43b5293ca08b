import { type ErrorCode, errorCodes, isToolError, ToolError } from '../../core/kernel/errors.ts'
import type { SentError } from './messages.ts'

/** An error as it crosses to another thread: by name and words, a ToolError with all its fields. */
export function toSentError(error: unknown): SentError {
  if (!(error instanceof Error)) return { name: 'Error', message: `The tool threw ${shown(error)}` }
  const { name, message, stack } = error
  if (!isToolError(error)) return { name, message, stack }
  const { code, retryable, issues, fix } = error
  return {
    name,
    message,
    stack,
    tool: { code, retryable, issues, fix, details: plain(error.details) },
  }
}

/** The error again, on the other side. */
export function fromSentError({ name, message, stack, tool }: SentError): Error {
  const error =
    tool !== undefined && Object.hasOwn(errorCodes, tool.code)
      ? new ToolError(tool.code as ErrorCode, message, toOptions(tool))
      : Object.assign(new Error(message), { name })
  if (stack !== undefined) error.stack = stack
  return error
}

function toOptions({ retryable, issues, fix, details }: NonNullable<SentError['tool']>) {
  return { retryable, issues, details, ...(fix !== undefined && { fix }) }
}

function shown(value: unknown): string {
  try {
    return String(value)
  } catch {
    return 'something that cannot be shown'
  }
}

/** Details are anybody's: what can't be copied stays behind. */
function plain(details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return JSON.parse(JSON.stringify(details ?? {})) as Record<string, unknown>
}
