import { isLoopback } from '../../doors/http/host-check.ts'
import type { Config } from '../config/config-schema.ts'

/** The address of this server, as far as it is known. */
export interface OwnAddress {
  /** Known once it listens, unless configured. */
  setPublicUrl(url: string, host?: string): void
  publicUrl(): string
  /** It listens on loopback only, without a proxy in front of it. */
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
