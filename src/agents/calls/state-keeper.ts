import type { StateKeeper } from '../../core/kernel/context/call-conversation.ts'
import type { ConversationStore } from '../../core/conversations/conversation-store.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import type { JsonValue } from '../../core/kernel/json.ts'

/** All that the tools of one conversation may keep in it. */
export const maxStateBytes = 65_536

const maxKeyChars = 200

/** One call's view of a conversation's state: read once, changed here, written when the call did well. */
export function createStateKeeper(
  { tenant, id, assertOwn }: { tenant: string; id: string; assertOwn(): Promise<void> },
  store: Pick<ConversationStore, 'readState' | 'patchState'>,
): StateKeeper & { flush(): Promise<string[]> } {
  let reading: Promise<Readonly<Record<string, JsonValue>>> | undefined
  const changed = new Map<string, JsonValue | undefined>()
  const read = () => (reading ??= assertOwn().then(() => store.readState(tenant, id)))

  async function current(): Promise<Map<string, JsonValue>> {
    const all = new Map(Object.entries(await read()))
    for (const [key, value] of changed) {
      if (value === undefined) all.delete(key)
      else all.set(key, value)
    }
    return all
  }
  return {
    get: async (key) => structuredClone((await current()).get(key)),
    keys: async () => [...(await current()).keys()],
    async set(key, value) {
      assertKey(key)
      const plain = toPlainJson(key, value)
      const all = await current()
      all.set(key, plain)
      assertSize(all)
      changed.set(key, plain)
    },
    async delete(key) {
      await read()
      changed.set(key, undefined)
    },
    async flush() {
      if (changed.size === 0) return []
      const before = await read()
      const entries = [...changed]
      const set = entries.flatMap(([key, value]) =>
        value === undefined ? [] : [[key, value] as const],
      )
      const remove = entries.flatMap(([key, value]) => (value === undefined ? [key] : []))
      const seen = entries.map(([key]) => [key, toText(before, key)] as const)
      const over = await store.patchState(tenant, id, {
        set: Object.fromEntries(set),
        remove,
        seen: Object.fromEntries(seen),
        maxBytes: maxStateBytes,
      })
      return over.map(
        (key) =>
          `Another call had changed ${JSON.stringify(key)} of the state in the meantime; this call's value is kept`,
      )
    },
  }
}

function toText(state: Readonly<Record<string, JsonValue>>, key: string): string | undefined {
  return Object.hasOwn(state, key) ? JSON.stringify(state[key]) : undefined
}

/** Values that JSON cannot hold would come back changed. */
function toPlainJson(key: string, value: unknown): JsonValue {
  try {
    return JSON.parse(JSON.stringify(value ?? null, refuseForeign)) as JsonValue
  } catch (cause) {
    const why = cause instanceof ForeignValue ? cause.message : 'it holds itself or is too deep'
    const name = JSON.stringify(key)
    throw new ToolError('invalid_request', `The value of ${name} can't be kept: ${why}`, {
      fix: 'Keep plain JSON: texts, numbers, booleans, null, lists and objects of these.',
      cause,
    })
  }
}

class ForeignValue extends Error {}

function refuseForeign(_key: string, value: unknown): unknown {
  const isOdd = typeof value === 'number' && !Number.isFinite(value)
  if (isOdd || ['function', 'symbol', 'bigint'].includes(typeof value)) {
    throw new ForeignValue(`it holds a ${isOdd ? 'number that is not finite' : typeof value}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === null || prototype === Object.prototype) return value
  throw new ForeignValue(`it holds a ${value.constructor.name}`)
}

function assertKey(key: string): void {
  if (key === '__proto__') {
    throw new ToolError('invalid_request', 'The state takes no key named __proto__', {
      fix: 'Use another key.',
    })
  }
  if (key.length > 0 && key.length <= maxKeyChars) return
  throw new ToolError('invalid_request', `A key of the state has 1 to ${maxKeyChars} characters`)
}

function assertSize(all: ReadonlyMap<string, JsonValue>): void {
  const bytes = new TextEncoder().encode(JSON.stringify(Object.fromEntries(all))).length
  if (bytes <= maxStateBytes) return
  throw new ToolError(
    'quota_exceeded',
    `The state of this conversation would have ${bytes} bytes; ${maxStateBytes} are allowed`,
    { fix: 'Keep less in ctx.state.' },
  )
}
