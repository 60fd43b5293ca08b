import { isLoopback } from '../../doors/http/host-check.ts'
import type { Config } from '../config/config-schema.ts'

/** Where this server is reached, as far as it is known. */
export interface OwnAddress {
  /** Once it listens, unless its configuration says so. */
  setPublicUrl(url: string, host?: string): void
  publicUrl(): string
  /** It listens on this machine alone, and nothing in front of it lets others in. */
  isLocal(): boolean
}

export function createServerAddress({ publicUrl, host, hosts }: Config['server']): OwnAddress {
  let address = publicUrl ?? 'http://localhost'
  let listensAt = host
  return {
    setPublicUrl(url, listening) {
      address = publicUrl ?? url
      listensAt = listening ?? listensAt
    },
    publicUrl: () => address,
    isLocal: () => isLoopback(listensAt) && publicUrl === undefined && hosts.length === 0,
  }
}
