import { InvalidToolInputError } from 'ai'

/**
 * Why the input of a call is invalid, for the model that wrote it. The SDK's message starts with
 * the whole input and ends with the fault, which a length limit would cut off.
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
