import { InvalidToolInputError } from 'ai'

/**
 * Why the input of a call can't be taken, for the model that wrote it. The SDK says the whole input
 * first, and what is wrong with it last, where no bound would leave it.
 */
export function inputFault(error: unknown): string | undefined {
  if (!InvalidToolInputError.isInstance(error)) return undefined
  const { name, message } = innermostCause(error)
  return name === 'SyntaxError'
    ? `invalid_input: It is not JSON: ${message}`
    : `invalid_input: ${message.replace(/^invalid_input: /, '')}`
}

function innermostCause(error: Error): Error {
  return error.cause instanceof Error ? innermostCause(error.cause) : error
}
