import { isToolError, ToolError } from '../../../core/kernel/errors.ts'
import type { ChosenModel } from '../../model-source.ts'

/** The end of a turn whose model does not answer, with the party at fault. */
export function toModelFailure(
  error: unknown,
  chosen: Pick<ChosenModel, 'name' | 'hideKeys'>,
): ToolError {
  if (isToolError(error)) return error
  const { name } = chosen
  const status = statusOf(error)
  if (status === 200 && isBroken(error)) return toBrokenOff(error, chosen)
  const words = wordsOf(error, chosen)
  const why = status === undefined ? words : `it answered ${status}: ${words}`
  const isRefused = nameOf(error) === 'AI_UnsupportedFunctionalityError'
  const retryable = !isRefused && (status === undefined || status === 429 || status >= 500)
  return new ToolError('model_failed', `The model ${name} gave no answer: ${why}`, {
    retryable,
    fix: isRefused ? 'Leave that out, or give the agent another model.' : fixFor(status),
    cause: error,
  })
}

/** The answer had begun: its text so far is kept, and nothing of it was refused. */
export function toBrokenOff(
  error: unknown,
  chosen: Pick<ChosenModel, 'name' | 'hideKeys'>,
): ToolError {
  if (isToolError(error)) return error
  const { cause } = (error ?? {}) as { cause?: unknown }
  const words = wordsOf(isBroken(error) ? (cause ?? error) : error, chosen)
  const message = `The model ${chosen.name} broke off in the middle of its answer: ${words}`
  return new ToolError('model_failed', message, {
    retryable: true,
    fix: fixFor(undefined),
    cause: error,
  })
}

/** The SDK's error for an answer that began well and could not be read to its end. */
function isBroken(error: unknown): boolean {
  const { message } = (innermost(error) ?? {}) as { message?: unknown }
  return message === 'Failed to process successful response'
}

function fixFor(status: number | undefined): string {
  if (status === 401 || status === 403) return 'Check the key of this provider in the secrets.'
  if (status === 404) return 'Check the name of the model in the settings of the agent.'
  if (status === 429) return 'Wait a little, or raise the limit at the provider.'
  if (status !== undefined && status >= 400 && status < 500) {
    return 'It would refuse the same again: check the options of the model, or ask for something else.'
  }
  return 'Try again; where it stays so, look at the status page of the provider.'
}

/** Retries wrap what made them necessary. */
function innermost(error: unknown): unknown {
  const { lastError, cause } = (error ?? {}) as { lastError?: unknown; cause?: unknown }
  if (lastError !== undefined) return innermost(lastError)
  return cause instanceof Error && statusOf(cause) !== undefined ? cause : error
}

/** The HTTP status that a provider answered with last. */
export function statusOf(error: unknown): number | undefined {
  const { statusCode, lastError } = (error ?? {}) as { statusCode?: unknown; lastError?: unknown }
  if (typeof statusCode === 'number') return statusCode
  return lastError === undefined ? undefined : statusOf(lastError)
}

function nameOf(error: unknown): string | undefined {
  return error instanceof Error ? error.name : undefined
}

const maxWords = 500

/** Bounded, and never with what was sent: errors of providers hold whole requests, and some the key. */
export function wordsOf(error: unknown, { hideKeys }: Pick<ChosenModel, 'hideKeys'>): string {
  const inner = innermost(error)
  const message = hideKeys(inner instanceof Error ? inner.message : String(inner))
  return message.length <= maxWords ? message : `${message.slice(0, maxWords)} …`
}
