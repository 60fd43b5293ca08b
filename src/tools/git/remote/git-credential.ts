import type { RepositoryAddress } from './repository-address.ts'

/** The secrets of tools that talk to a git server. All optional: public repositories need none. */
export const gitSecrets = [
  { key: 'git_token', label: 'Access token of the git server', optional: true },
  {
    key: 'git_host',
    label: 'The server that the token is for (github.com)',
    optional: true,
    sensitive: false,
  },
  {
    key: 'git_user',
    label: 'The user that goes with the token (x-access-token)',
    optional: true,
    sensitive: false,
  },
] as const

export type GitSecrets = Partial<Record<'git_token' | 'git_host' | 'git_user', string>>

/**
 * The Authorization header for a repository, if there is a token for its server. A model chooses the
 * address, so a token goes to the one server it was set for, and over https unless the server is
 * given with `http://`.
 */
export function toAuthorization(
  { origin }: RepositoryAddress,
  {
    git_token: token,
    git_host: host = 'github.com',
    git_user: user = 'x-access-token',
  }: GitSecrets,
): string | undefined {
  if (token === undefined || originOf(host) !== origin) return undefined
  return `Basic ${btoa(String.fromCodePoint(...new TextEncoder().encode(`${user}:${token}`)))}`
}

function originOf(host: string): string | undefined {
  const address = /^https?:\/\//.test(host) ? host : `https://${host}`
  return URL.canParse(address) ? new URL(address).origin : undefined
}
