/** Prefix of the sign-in id of callers with a token; browser sign-ins have their own ids. */
export const tokenSignIn = 'oauth '

/** The data clients need to get a token for this server (RFC 9728), besides its address. */
export interface TokenTerms {
  /** Addresses of the accepted authorization servers; empty if only keys are accepted. */
  readonly issuers: readonly string[]
  /** Scopes that tokens may have, in the order of the configuration. */
  readonly scopes: readonly string[]
  /** Scopes that every token must have. */
  readonly requiredScopes: readonly string[]
  /** Scopes that allow a token to call tools, one per issuer. */
  readonly callScopes: readonly string[]
}

/** The part of OAuth sign-in that doors publish. */
export interface OAuthApi {
  tokenTerms(): TokenTerms
}
