import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ServerKey } from '../../core/gateway/gateway-store.ts'
import { pinName, type ToolPin, toolPinSchema } from '../../core/gateway/tool-pin.ts'
import { mapInTurns } from '../../core/map-in-turns.ts'
import type { RuleStore } from '../../core/rules/rule-store.ts'
import type { PinBook } from '../../gateway/ports.ts'
import type { TenantViews } from '../governance/tenant-views.ts'

/** Written in one transaction; a server with thousands of tools must not hold the store up. */
const pinsAtOnce = 200
const by = { kind: 'system', id: 'gateway' } as const

/** Pins as rules of their tenant. */
export function createPinBook(
  rules: Pick<RuleStore, 'change'>,
  views: Pick<TenantViews, 'find' | 'refresh'>,
): PinBook {
  return {
    async read({ tenant, server }) {
      const view = await views.find(tenant)
      const prefix = pinName(server, '')
      const own = view?.rules.get('mcp-pin')?.filter(({ name }) => name.startsWith(prefix)) ?? []
      const pins = await mapInTurns(
        own,
        ({ name, body }) =>
          [name.slice(prefix.length), toolPinSchema.safeParse(body).data] as const,
      )
      return new Map(pins)
    },
    async add(key, pins) {
      const all = [...pins]
      for (let from = 0; from < all.length; from += pinsAtOnce) {
        await addSome(rules, key, all.slice(from, from + pinsAtOnce))
        // An embedded store answers within the turn it is asked in.
        await nextTurn()
      }
      await views.refresh()
    },
  }
}

/** Another node may have seen one first, or somebody accepted another one meanwhile: it stays. */
async function addSome(
  rules: Pick<RuleStore, 'change'>,
  { tenant, server }: ServerKey,
  pins: readonly (readonly [tool: string, pin: ToolPin])[],
): Promise<void> {
  const bodies = new Map(pins.map(([tool, pin]) => [pinName(server, tool), pin]))
  await rules.change(tenant, by, (draft) => draft.putNew('mcp-pin', bodies))
}
