import type { ConnectionStore, SignInTarget } from '../../core/gateway/connection-store.ts'

/** Dependencies of signing in to servers. */
export interface OAuthPorts {
  connections: ConnectionStore
  /** Where authorization servers send people back to. */
  redirectUrl(): string
  /** Where our client metadata document is, if it can be read from outside. */
  clientMetadataUrl(): string | undefined
  /** Requests for this server's sign-in: guarded, bounded and with a deadline. */
  fetchFor(target: Pick<SignInTarget, 'tenant' | 'server'>): OAuthFetch
  /** A value that may be given by name (`secret:<name>`, `env:<NAME>`). */
  readValue(tenant: string, given: string): Promise<string>
  now(): number
}

export type OAuthFetch = (url: string | URL, init?: RequestInit) => Promise<Response>
