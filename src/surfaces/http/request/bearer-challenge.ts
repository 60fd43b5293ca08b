import type { TokenTerms } from '../../../core/oauth/oauth-api.ts'
import type { ToolError } from '../../../core/errors.ts'

export interface ChallengeOptions {
  /** Where the metadata of the resource is read (RFC 9728). */
  metadataUrl: string
  terms: TokenTerms
  /** Absent where the request had no token at all: then nothing was wrong with one (RFC 6750). */
  error?: Pick<ToolError, 'code' | 'details'>
}

/** The WWW-Authenticate value by which clients find out how to get a token, and what it must hold. */
export function bearerChallenge({ metadataUrl, terms, error }: ChallengeOptions): string {
  const missing = missingScopes(error)
  const wanted = missing ?? (terms.requiredScopes.length > 0 ? terms.requiredScopes : terms.scopes)
  const parts = [
    'realm="toolcrib"',
    ...(missing !== undefined
      ? ['error="insufficient_scope"']
      : error?.code === 'unauthorized'
        ? ['error="invalid_token"']
        : []),
    ...(wanted.length > 0 ? [`scope="${wanted.join(' ')}"`] : []),
    `resource_metadata="${metadataUrl}"`,
  ]
  return `Bearer ${parts.join(', ')}`
}

function missingScopes(error: ChallengeOptions['error']): readonly string[] | undefined {
  const missing = error?.details['missingScopes']
  return Array.isArray(missing) ? (missing as string[]) : undefined
}
