import type { JsonValue } from '../../core/kernel/json.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { isRecord } from '../../core/kernel/json/json-type.ts'
import type { JsonRecord } from '../wire/messages.ts'
import { isTooDeep } from '../wire/too-deep.ts'
import type { Upstream, UpstreamRequest } from '../upstream/open-upstream.ts'

/** Bounds of a server's list. */
export const listBounds = { items: 5000, pages: 200, bytes: 16_777_216 } as const

/** A list with all its pages, up to the bounds; `beyond`: at least so many more there are. */
export async function listPages(
  upstream: Upstream,
  { method, member }: { method: string; member: string },
  options: UpstreamRequest = {},
): Promise<{ items: JsonValue[]; beyond: number }> {
  const items: JsonValue[] = []
  const seen = new Set<string>()
  let cursor: string | undefined
  let bytes = 0
  for (let page = 0; page < listBounds.pages; page += 1) {
    const params: JsonRecord = cursor === undefined ? {} : { cursor }
    const result = await upstream.request(method, params, { timeoutMs: 30_000, ...options })
    const found = result[member]
    if (!Array.isArray(found)) {
      throw new ToolError('upstream_failed', `The server answered ${method} without ${member}`)
    }
    for (const [at, listed] of found.entries()) {
      const item = isTooDeep(listed) ? toStump(listed) : listed
      bytes += JSON.stringify(item).length
      if (items.length >= listBounds.items || bytes > listBounds.bytes)
        return { items, beyond: found.length - at }
      items.push(item)
    }
    const next = result['nextCursor']
    // A server that names a page twice would never end.
    if (typeof next !== 'string' || next === '' || seen.has(next)) return { items, beyond: 0 }
    seen.add(next)
    cursor = next
  }
  return { items, beyond: 1 }
}

/** Of what nobody can go down into, no more than its name, and that it was so: the others stay. */
function toStump(item: JsonValue): JsonValue {
  const name = isRecord(item) && typeof item['name'] === 'string' ? item['name'] : ''
  return { name, isTooDeep: true }
}
