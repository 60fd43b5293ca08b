/** Who a secret belongs to: a tenant, or one agent of it whose value wins over the tenant's. */
export interface SecretScope {
  tenant: string
  agent?: string
}

export interface SecretSummary {
  name: string
  agent?: string
  /** Counts up with every write. */
  version: number
  updatedAt: string
}

/** The vault. Values go in; only the pipeline reads them, for one call, by declared name. */
export interface SecretVault {
  write(scope: SecretScope, name: string, value: string): Promise<SecretSummary>
  delete(scope: SecretScope, name: string): Promise<boolean>
  list(tenant: string): Promise<SecretSummary[]>
  /** Values of the named secrets that are set; the agent's wins over the tenant's. */
  read(scope: SecretScope, names: readonly string[]): Promise<Map<string, string>>
  /** Re-wraps every secret under the active master key. Returns how many were. */
  rotate(): Promise<number>
}

export interface ApiKey {
  id: string
  tenant: string
  name: string
  scopes: readonly string[]
  agent?: string
  createdAt: string
  expiresAt?: string
  lastUsedAt?: string
  revokedAt?: string
}

/** Keys at rest: the secret part only as an HMAC. */
export interface KeyStore {
  create(key: {
    tenant: string
    name: string
    scopes: readonly string[]
    agent?: string
    expiresAt?: Date
  }): Promise<{ key: ApiKey; token: string }>
  /** The live key of this token, or undefined for anything wrong with it. Same time whichever it is. */
  verify(token: string): Promise<ApiKey | undefined>
  list(tenant: string): Promise<ApiKey[]>
  revoke(tenant: string, id: string): Promise<boolean>
}
