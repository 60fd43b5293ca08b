import { ToolError } from '../kernel/errors.ts'

/** The error for an agent that a tenant does not have. */
export function agentNotFound(slug: string): ToolError {
  return new ToolError(
    'not_found',
    `There is no agent ${JSON.stringify(slug.slice(0, 100))} in this tenant`,
    { fix: 'toolcrib agents lists them; toolcrib agents create creates one.' },
  )
}
