import { ToolError } from '../kernel/errors.ts'
import type { PromptListing } from './library-api.ts'
import { ownValue } from '../kernel/json/json-type.ts'

/** Throws invalid_input where something is missing that a prompt can't do without. */
export function checkArguments(
  prompt: Pick<PromptListing, 'name' | 'arguments'>,
  given: Readonly<Record<string, string>>,
): void {
  const missing = prompt.arguments.filter(
    ({ name, required }) => required === true && ownValue(given, name) === undefined,
  )
  if (missing.length === 0) return
  const names = missing.map(({ name }) => name).join(', ')
  throw new ToolError('invalid_input', `The prompt ${prompt.name} needs ${names}`, {
    issues: missing.map(({ name }) => ({ path: `/${name}`, message: 'is missing' })),
  })
}
