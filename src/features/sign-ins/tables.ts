import type { TableSpec } from '../../core/kernel/views/table-spec.ts'

export interface SessionsTable {
  /** SHA-256 of the cookie's value. */
  hash: Uint8Array
  id: string
  tenant: string
  member: string
  /** `link`, `password`, `oidc`. */
  method: string
  user_agent: string | null
  address: string | null
  created_ms: number
  last_seen_ms: number
  expires_ms: number
}

export interface OneTimeTokensTable {
  /** SHA-256 of the token. */
  hash: Uint8Array
  id: string
  kind: string
  tenant: string
  facts: string
  created_ms: number
  expires_ms: number
  used_ms: number | null
}

export interface SignInAttemptsTable {
  /** `account:<tenant>:<address>` or `from:<network>`. */
  subject: string
  failures: number
  last_ms: number
  blocked_until_ms: number
}

/** Tables of signing in, beside the members. */
export interface SignInTables {
  sessions: SessionsTable
  one_time_tokens: OneTimeTokensTable
  sign_in_attempts: SignInAttemptsTable
}

export const signInTables: readonly TableSpec<keyof SignInTables>[] = [
  { name: 'sessions', key: ['id'], page: 1_000 },
  { name: 'one_time_tokens', key: ['id'], page: 1_000 },
  { name: 'sign_in_attempts', key: ['subject'], page: 1_000, isShared: true },
]
