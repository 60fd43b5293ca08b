import type { Caller } from '../../core/kernel/call.ts'
import type { ToolOffer } from '../../core/offer/tool-offer.ts'
import { compilePatterns } from '../../core/patterns/patterns.ts'
import type { ToolMode } from '../../core/kernel/meta-tools.ts'
import type { FoundToolStore } from '../../core/kernel/context/tool-finder.ts'
import type { Config } from '../config/config-schema.ts'
import { toOffer, type WholeOffer } from './to-offer.ts'

/** The offers of callers that search: three tools, what is always listed, and what they have found. */
export interface ShortLists {
  isShort(whole: WholeOffer, mode: ToolMode): boolean
  shorten(whole: WholeOffer, caller: Caller): ToolOffer | Promise<ToolOffer>
}

/** Offers of one whole that are kept: conversations have mostly found the same few things. */
const keptAtMost = 200
const metaTools = 3

export function createShortLists(
  { autoAbove, always }: Config['toolSearch'],
  found: FoundToolStore,
): ShortLists {
  const isAlways = compilePatterns(always, {})
  const kept = new WeakMap<WholeOffer, Map<string, ToolOffer>>()

  function make(whole: WholeOffer, names: readonly string[]): ToolOffer {
    const offers = kept.get(whole) ?? new Map<string, ToolOffer>()
    kept.set(whole, offers)
    const known = new Set(names.filter((name) => whole.offer.find(name) !== undefined))
    const key = [...known].sort().join('\n')
    const made = offers.get(key)
    if (made !== undefined) return made
    const listed = whole.offer.tools.filter(
      (tool) => known.has(tool.name) || isAlways.find(tool) !== undefined,
    )
    const tools = [...whole.metaTools, ...listed].sort((left, right) =>
      left.name < right.name ? -1 : 1,
    )
    const offer = toOffer(tools, whole.offer)
    offers.set(key, offer)
    if (offers.size > keptAtMost) offers.delete(offers.keys().next().value ?? '')
    return offer
  }
  return {
    isShort({ offer, metaTools: meta }, mode) {
      // Without all three, what is not listed could not be reached.
      if (mode === 'list' || meta.length < metaTools) return false
      return mode === 'search' || offer.tools.length > autoAbove
    },
    shorten(whole, { tenant, sessionId }) {
      if (sessionId === undefined) return make(whole, [])
      return found.read(tenant, sessionId).then((names) => make(whole, names))
    },
  }
}
