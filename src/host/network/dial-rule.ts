import { addressKind } from '../../core/net/address-kind.ts'
import type { AddressList } from '../../core/net/address-list.ts'
import { type PortRule, portOf, toPortRule } from '../../core/net/port-rule.ts'
import type { DialRule } from './guarded-connector.ts'
import { isOwnAddress } from './own-addresses.ts'

export interface DialRuleOptions {
  /** Addresses that configuration allows besides public ones. */
  allowed: AddressList
  /** Ports that are open; unless given 80, 443 and unprivileged ones. */
  ports?: PortRule
  /** Servers that an operator has named: their hosts may be anywhere, at privileged ports too. */
  trusted?: readonly URL[]
}

/** Public addresses, what is allowed, and hosts that somebody who may has named. */
export function toDialRule(options: DialRuleOptions): DialRule {
  const { allowed, ports = toPortRule(), trusted = [] } = options
  const hosts = new Set(trusted.map(hostOf))
  const named = new Set(trusted.map((url) => `${hostOf(url)} ${portOf(url)}`))
  return {
    mayDial: (host, address) =>
      hosts.has(host.toLowerCase()) ||
      allowed(host, address) ||
      (addressKind(address) === 'public' && !isOwnAddress(address)),
    mayUsePort(host, port) {
      const refusal = ports(port)
      return refusal === 'privileged' && named.has(`${host.toLowerCase()} ${port}`)
        ? undefined
        : refusal
    },
  }
}

function hostOf({ hostname }: URL): string {
  return hostname.toLowerCase().replace(/^\[|\]$/g, '')
}
