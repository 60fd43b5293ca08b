import type { TokenTerms } from '../../../core/oauth/oauth-api.ts'
import type { ToolError } from '../../../core/kernel/errors.ts'

export interface ChallengeOptions {
  /** Where the metadata of the resource is read (RFC 9728), where that is known. */
  metadataUrl: string | undefined
  terms: TokenTerms
  /** Absent where the request had no token at all: then nothing was wrong with one (RFC 6750). */
  error?: Pick<ToolError, 'code' | 'details' | 'message'>
}

/** The WWW-Authenticate value by which clients find out how to get a token, and what it must hold. */
export function bearerChallenge({ metadataUrl, terms, error }: ChallengeOptions): string {
  const missing = missingScopes(error)
  const wanted = missing ?? (terms.requiredScopes.length > 0 ? terms.requiredScopes : terms.scopes)
  const parts = {
    realm: 'toolcrib',
    ...describe(error, missing),
    ...(wanted.length > 0 && { scope: wanted.join(' ') }),
    ...(metadataUrl !== undefined && { resource_metadata: metadataUrl }),
  }
  const pairs = Object.entries(parts).map(([name, value]) => `${name}="${toQuotable(value)}"`)
  return `Bearer ${pairs.join(', ')}`
}

function describe(
  error: ChallengeOptions['error'],
  missing: readonly string[] | undefined,
): Record<string, string> {
  if (error === undefined) return {}
  const { message: error_description } = error
  if (missing !== undefined) return { error: 'insufficient_scope', error_description }
  return error.code === 'unauthorized' ? { error: 'invalid_token', error_description } : {}
}

/**
 * Characters allowed between the quotes of a parameter (RFC 6750): no quote, no backslash, no line
 * end.
 */
function toQuotable(value: string): string {
  return value.replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, '?')
}

function missingScopes(error: ChallengeOptions['error']): readonly string[] | undefined {
  const missing = error?.details['missingScopes']
  return Array.isArray(missing) ? (missing as string[]) : undefined
}
