import type { HostNetwork, NetworkRoute } from '../../core/host/host-network.ts'
import { parseAddressList } from '../../core/net/address-list.ts'
import { toPortRule } from '../../core/net/port-rule.ts'
import { toDialRule } from './dial-rule.ts'
import { createGuardedFetch, type GuardedFetch } from './guarded-fetch.ts'

/** Additions of the operator to public addresses and the usual ports. */
export interface NetworkBounds {
  addresses: readonly string[]
  ports: readonly number[]
}

export interface OpenNetwork extends HostNetwork {
  close(): Promise<void>
}

/** The network of this machine. Nothing is dialled before somebody asks. */
export function openNetwork({ addresses, ports }: NetworkBounds): OpenNetwork {
  const allowed = parseAddressList(addresses) ?? (() => false)
  const opened = new Map<string, GuardedFetch>()
  function open({ key, trusted = [] }: NetworkRoute): GuardedFetch {
    const known = opened.get(key)
    if (known !== undefined) return known
    const rule = toDialRule({ allowed, trusted, ports: toPortRule(ports) })
    const guarded = createGuardedFetch({ rule })
    opened.set(key, guarded)
    return guarded
  }
  return {
    fetchFor: (route) => open(route).fetch,
    async close() {
      await Promise.all([...opened.values()].map((guarded) => guarded.close()))
      opened.clear()
    },
  }
}
