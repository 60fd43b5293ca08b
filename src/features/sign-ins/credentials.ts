import { ToolError } from '../../core/kernel/errors.ts'
import type { Issue } from '../../core/kernel/errors.ts'

/** Shorter ones can be guessed; longer ones only cost the server time. */
export const passwordLength = { min: 10, max: 200 } as const

/** A password as it is compared: the same characters from any keyboard are the same password. */
export function toPassword(text: string): string {
  return text.normalize('NFC')
}

/** Parses a new password. Throws invalid_request with the problem. */
export function parseNewPassword(text: string, email: string | undefined): string {
  const password = toPassword(text)
  const length = [...password].length
  const { min, max } = passwordLength
  if (length < min) throw invalid('/password', `must have at least ${min} characters`)
  if (length > max) throw invalid('/password', `must have at most ${max} characters`)
  if (email !== undefined && password.toLowerCase() === email) {
    throw invalid('/password', 'must not be the address')
  }
  return password
}

/** The name of a person: one line. */
export function parsePersonName(text: string): string {
  const name = text.trim().normalize('NFC')
  if (name === '' || name.length > 100 || /[\p{Cc}\p{Cs}]/u.test(name)) {
    throw invalid('/name', 'must be one line of 1 to 100 characters')
  }
  return name
}

function invalid(path: string, message: string): ToolError {
  const issues: Issue[] = [{ path, message }]
  return new ToolError('invalid_request', `The ${path.slice(1)} ${message}`, { issues })
}
