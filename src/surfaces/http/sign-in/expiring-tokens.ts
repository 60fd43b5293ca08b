import { createHash, randomBytes } from 'node:crypto'

/** Random tokens that stand for a value until they expire. Kept as hashes: memory that leaks opens nothing. */
export interface ExpiringTokens<T> {
  issue(value: T): string
  find(token: string): T | undefined
  /** Finds and forgets: a token that is taken works once. */
  take(token: string): T | undefined
}

export interface ExpiringTokensOptions {
  lifetimeMs: number
  /** The oldest make room when there are more. */
  maxCount: number
  now?: () => number
}

/** Opens an empty set of tokens. */
export function createExpiringTokens<T>(options: ExpiringTokensOptions): ExpiringTokens<T> {
  const now = options.now ?? Date.now
  // A Map keeps the order of insertion, and all live equally long: the first is the oldest.
  const entries = new Map<string, { value: T; expiresAt: number }>()

  function find(token: string): T | undefined {
    const entry = entries.get(hash(token))
    return entry !== undefined && entry.expiresAt > now() ? entry.value : undefined
  }

  return {
    find,
    issue(value) {
      for (const [key, entry] of entries) {
        if (entries.size < options.maxCount && entry.expiresAt > now()) break
        entries.delete(key)
      }
      const token = randomBytes(32).toString('base64url')
      entries.set(hash(token), { value, expiresAt: now() + options.lifetimeMs })
      return token
    },
    take(token) {
      const value = find(token)
      entries.delete(hash(token))
      return value
    },
  }
}

// Looking a hash up in a map tells a timer nothing about the token itself.
function hash(token: string): string {
  return createHash('sha256').update(token).digest('base64')
}
