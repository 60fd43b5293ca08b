import type { Api } from '../../../api/client.ts'

export type ApiKey = Api<'ApiKey'>
export type IssuedKey = Api<'IssuedKey'>

/** The key no longer works. */
export function isOver({ revokedAt, expiresAt }: ApiKey, now: number): boolean {
  return revokedAt !== undefined || (expiresAt !== undefined && Date.parse(expiresAt) < now)
}
