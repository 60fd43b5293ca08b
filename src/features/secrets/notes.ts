import { ToolError } from '../../core/kernel/errors.ts'
import { createRedactor } from '../../core/secrets/redact.ts'
import type { SecretNotes } from '../../core/vault-ports.ts'
import type { GivenNotes } from './schemas.ts'

/** The notes in the request; those that were not are unchanged. */
export function toNotes({ description, expiresAt }: GivenNotes): SecretNotes {
  return {
    ...(description !== undefined && { description }),
    ...(expiresAt !== undefined && { expiresAt: expiresAt === null ? null : new Date(expiresAt) }),
  }
}

/** Notes are shown to people, and so would be a value entered there by mistake. */
export function assertNotesHideValue(
  { description }: SecretNotes,
  name: string,
  value: string,
): void {
  if (typeof description !== 'string' || value === '') return
  if (createRedactor({ [name]: value }).redactText(description) === description) return
  throw new ToolError('invalid_input', `The description of ${name} contains its value`, {
    issues: [{ path: '/description', message: 'contains the value, and is shown to people' }],
    fix: 'Describe its purpose and origin without the value.',
  })
}
