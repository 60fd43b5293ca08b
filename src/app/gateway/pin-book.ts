import type { ServerKey } from '../../core/gateway/gateway-store.ts'
import { pinName, type ToolPin, toolPinSchema } from '../../core/gateway/tool-pin.ts'
import { inPortions, mapInTurns } from '../../core/kernel/map-in-turns.ts'
import type { RuleStore } from '../../core/rules/rule-store.ts'
import type { PinBook } from '../../gateway/ports.ts'
import { coversMeta } from '../../core/gateway/tool-definition.ts'
import { hashWithoutMeta } from '../../gateway/tools/tool-definition.ts'
import type { TenantViews } from '../governance/tenant-views.ts'

/** Written in one transaction; a server with thousands of tools must not block the store. */
const pinsAtOnce = 200
/** The maximum number of servers whose pins are cached. */
const heldAtMost = 500
const by = { kind: 'system', id: 'gateway' } as const

type Pins = Awaited<ReturnType<PinBook['read']>>

interface HeldPins {
  readonly marks: ReadonlyMap<string, string>
  readonly pins: Pins
}

/**
 * Pins as rules of their tenant. They are read with every change in it, and one server may have
 * thousands, so they are cached until one of them is written.
 */
export function createPinBook(
  rules: Pick<RuleStore, 'change' | 'readUnder' | 'marksUnder'>,
  views: Pick<TenantViews, 'refresh'>,
): PinBook {
  const held = new Map<string, HeldPins>()

  async function readAnew({ tenant, server }: ServerKey): Promise<Pins> {
    const prefix = pinName(server, '')
    const all = await rules.readUnder(tenant, 'mcp-pin', prefix)
    const pins = await mapInTurns(
      all,
      ({ name, body }) => [name.slice(prefix.length), toolPinSchema.safeParse(body).data] as const,
    )
    return new Map(pins)
  }
  return {
    async read(key) {
      const { tenant, server } = key
      const name = `${tenant}/${server}`
      // Before the pins: a write in between then gets another mark the next time.
      const marks = await rules.marksUnder(tenant, 'mcp-pin', pinName(server, ''))
      const before = held.get(name)
      held.delete(name)
      if (marks.size === 0) return new Map()
      const isSame = before !== undefined && areSame(before.marks, marks)
      const now = isSame ? before : { marks, pins: await readAnew(key) }
      held.set(name, now)
      if (held.size > heldAtMost) held.delete(held.keys().next().value ?? '')
      return now.pins
    },
    async add(key, pins) {
      await inPortions([...pins], pinsAtOnce, (some) => addSome(rules, key, some))
      await views.refresh()
    },
    async renew(key, pins) {
      await inPortions([...pins], pinsAtOnce, (some) => renewSome(rules, key, some))
      await views.refresh()
    },
  }
}

function areSame(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  if (one.size !== other.size) return false
  for (const [name, mark] of one) if (other.get(name) !== mark) return false
  return true
}

/** Keeps pins that another node has added, or that somebody has accepted, in the meantime. */
async function addSome(
  rules: Pick<RuleStore, 'change'>,
  { tenant, server }: ServerKey,
  pins: readonly (readonly [tool: string, pin: ToolPin])[],
): Promise<void> {
  const bodies = new Map(pins.map(([tool, pin]) => [pinName(server, tool), pin]))
  await rules.change(tenant, by, (draft) => draft.putNew('mcp-pin', bodies))
}

/** Keeps pins that somebody has decided, or another node has renewed, in the meantime. */
async function renewSome(
  rules: Pick<RuleStore, 'change'>,
  { tenant, server }: ServerKey,
  pins: readonly (readonly [tool: string, pin: ToolPin])[],
): Promise<void> {
  await rules.change(tenant, by, async (draft) => {
    for (const [tool, pin] of pins) {
      const name = pinName(server, tool)
      const rule = await draft.find('mcp-pin', name)
      const before = toolPinSchema.safeParse(rule?.body).data
      const isOld = before !== undefined && !coversMeta(before.definition)
      if (isOld && before.hash === hashWithoutMeta(pin.definition)) {
        await draft.put('mcp-pin', name, { body: pin })
      }
    }
  })
}
