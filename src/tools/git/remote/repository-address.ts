import { z } from 'zod'
import { ToolError } from '../../../core/kernel/errors.ts'

export const addressField = z
  .string()
  .min(1)
  .max(2000)
  .describe('Its https address, such as https://github.com/owner/repository.git')

/** The address of a repository, without anything that is not part of its name. */
export interface RepositoryAddress {
  /** As git gets it: no slash at the end. */
  href: string
  origin: string
  /** The last part of its path, without `.git`. */
  name: string
}

/** Takes an http(s) address apart. Throws `invalid_input`, and never repeats a password. */
export function parseAddress(given: string): RepositoryAddress {
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw badAddress(
      'is not an http or https address',
      'Write https://<host>/<owner>/<repository>.git.',
    )
  }
  if (url.username !== '' || url.password !== '') {
    throw badAddress('contains a user or a password', 'Set the secret git_token instead.')
  }
  if (url.search !== '' || url.hash !== '')
    throw badAddress('has more than a path', 'Leave out ? and #.')
  const path = url.pathname.replace(/\/+$/, '')
  const name = decodeURIComponent(path.split('/').at(-1) ?? '').replace(/\.git$/, '')
  if (!/^[\w.-]+$/.test(name) || /^\.+$/.test(name)) {
    throw badAddress('names no repository', 'Write https://<host>/<owner>/<repository>.git.')
  }
  return { href: `${url.origin}${path}`, origin: url.origin, name }
}

function badAddress(fault: string, fix: string): ToolError {
  return new ToolError('invalid_input', `The address of the repository ${fault}`, { fix })
}
