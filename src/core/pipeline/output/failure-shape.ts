import type { CallError } from '../../kernel/call.ts'
import { errorCodes, type ErrorCode } from '../../kernel/errors.ts'

/**
 * The failure in what a tool returned, or undefined when it succeeded. Many tools report failures
 * as values: `{ error }`, where error is a text, an Error or `{ message, code }`, and `{ success:
 * false }` with a message. `error: null`, `false`, `''` and numbers (such as an error margin) are
 * not failures.
 */
export function toFailure(returned: unknown): CallError | undefined {
  if (returned instanceof Error) return toCallError(returned, undefined)
  if (!isRecord(returned)) return undefined
  const { error, success } = returned
  if (isFailure(error)) return toCallError(error, returned)
  return success === false ? toCallError(undefined, returned) : undefined
}

function isFailure(error: unknown): boolean {
  if (Array.isArray(error)) return error.length > 0
  return (typeof error === 'string' && error !== '') || error === true || isRecord(error)
}

function toCallError(error: unknown, returned: Record<string, unknown> | undefined): CallError {
  const facts = isRecord(error) ? error : {}
  const code = toErrorCode(facts.code) ?? toErrorCode(returned?.code) ?? 'tool_failed'
  const retryable = [facts.retryable, returned?.retryable].find((one) => typeof one === 'boolean')
  const fix = [facts.fix, returned?.fix].find((one) => typeof one === 'string')
  return {
    code,
    message: findMessage(error, returned),
    retryable: retryable ?? errorCodes[code].retryable,
    ...(typeof fix === 'string' && { fix }),
  }
}

function findMessage(error: unknown, returned: Record<string, unknown> | undefined): string {
  const facts = isRecord(error) ? error : {}
  const texts = [error, facts.message, facts.error, facts.detail, facts.title]
  const outer = [returned?.message, returned?.reason, returned?.detail]
  const found = [...texts, ...outer].find((text) => typeof text === 'string' && text.trim() !== '')
  if (typeof found === 'string') return found
  const isTelling = Array.isArray(error) || Object.keys(facts).length > 0
  return isTelling ? toText(error) : 'The tool reported a failure without a message'
}

function toText(error: unknown): string {
  try {
    return JSON.stringify(error) ?? String(error)
  } catch {
    return 'The tool reported a failure that cannot be shown as text'
  }
}

function toErrorCode(code: unknown): ErrorCode | undefined {
  return typeof code === 'string' && Object.hasOwn(errorCodes, code)
    ? (code as ErrorCode)
    : undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
