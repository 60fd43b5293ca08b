export interface SignInAttemptsTable {
  /** `account:<tenant>:<address>` or `from:<network>`. */
  subject: string
  failures: number
  last_ms: number
  blocked_until_ms: number
}

/** Tables of signing in beside those of people. */
export interface SignInTables {
  sign_in_attempts: SignInAttemptsTable
}
