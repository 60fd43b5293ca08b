import { addressKind } from '../../core/net/address-kind.ts'
import type { AddressList } from '../../core/net/address-list.ts'
import type { MayDial } from './guarded-connector.ts'

export interface DialRuleOptions {
  /** What configuration lets through beside public addresses. */
  allowed: AddressList
  /** Hosts that an operator has named: they may be anywhere. Names and addresses as a URL has them. */
  trusted?: readonly string[]
}

/** Public addresses, what is allowed, and hosts that somebody who may has named. */
export function toDialRule({ allowed, trusted = [] }: DialRuleOptions): MayDial {
  const hosts = new Set(trusted.map((host) => host.toLowerCase().replace(/^\[|\]$/g, '')))
  return (host, address) =>
    addressKind(address) === 'public' || hosts.has(host.toLowerCase()) || allowed(host, address)
}
