/** Begins the sign-in id of callers who came with a token; sessions of browsers have ids of their own. */
export const tokenSignIn = 'oauth '

/** What clients must know to get a token for this server (RFC 9728), beside its address. */
export interface TokenTerms {
  /** Addresses of the authorization servers whose tokens are taken; none where only keys are. */
  readonly issuers: readonly string[]
  /** Scopes that tokens may have, in the order of the configuration. */
  readonly scopes: readonly string[]
  /** Scopes that every token must have. */
  readonly requiredScopes: readonly string[]
  /** Scopes that let a token call tools, one of each issuer. */
  readonly callScopes: readonly string[]
}

/** Tokens of other issuers, as far as doors tell their visitors about them. */
export interface OAuthApi {
  tokenTerms(): TokenTerms
}
