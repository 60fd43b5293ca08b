import type { ServerKey } from '../../core/gateway/gateway-store.ts'
import { pinName, type ToolPin, toolPinSchema } from '../../core/gateway/tool-pin.ts'
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
      const pins = new Map<string, ToolPin | undefined>()
      for (const { name, body } of view?.rules.get('mcp-pin') ?? []) {
        if (!name.startsWith(prefix)) continue
        pins.set(name.slice(prefix.length), toolPinSchema.safeParse(body).data)
      }
      return pins
    },
    async add(key, pins) {
      const all = [...pins]
      for (let from = 0; from < all.length; from += pinsAtOnce) {
        await addSome(rules, key, all.slice(from, from + pinsAtOnce))
      }
      await views.refresh()
    },
  }
}

async function addSome(
  rules: Pick<RuleStore, 'change'>,
  { tenant, server }: ServerKey,
  pins: readonly (readonly [tool: string, pin: ToolPin])[],
): Promise<void> {
  await rules.change(tenant, by, async (draft) => {
    for (const [tool, pin] of pins) {
      const name = pinName(server, tool)
      // Another node may have seen it first, or somebody accepted another one meanwhile.
      if ((await draft.find('mcp-pin', name)) !== undefined) continue
      await draft.put('mcp-pin', name, { body: pin })
    }
  })
}
