import { ToolError } from '../../core/errors.ts'
import type { Issue } from '../../core/errors.ts'

/** Shorter ones are guessed, longer ones only keep the server busy. */
export const passwordLength = { min: 10, max: 200 } as const

/** A password as it is compared: the same signs typed on any keyboard are the same password. */
export function toPassword(text: string): string {
  return text.normalize('NFC')
}

/** A password somebody wants to have from now on; throws invalid_request with what is wrong. */
export function parseNewPassword(text: string, email: string | undefined): string {
  const password = toPassword(text)
  const length = [...password].length
  const { min, max } = passwordLength
  if (length < min) throw unfit('/password', `must have at least ${min} characters`)
  if (length > max) throw unfit('/password', `must have at most ${max} characters`)
  if (email !== undefined && password.toLowerCase() === email) {
    throw unfit('/password', 'must not be the address itself')
  }
  return password
}

/** The name of a person: one line. */
export function parsePersonName(text: string): string {
  const name = text.trim().normalize('NFC')
  if (name === '' || name.length > 100 || /[\p{Cc}\p{Cs}]/u.test(name)) {
    throw unfit('/name', 'must be one line of 1 to 100 characters')
  }
  return name
}

function unfit(path: string, message: string): ToolError {
  const issues: Issue[] = [{ path, message }]
  return new ToolError('invalid_request', `The ${path.slice(1)} ${message}`, { issues })
}
