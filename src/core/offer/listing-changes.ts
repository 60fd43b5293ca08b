import { cachePair } from '../kernel/identity-cache.ts'
import type { OfferedTool, ToolOffer } from './tool-offer.ts'

/**
 * The canonical names of tools that are listed in only one of two offers, or listed differently.
 */
export interface ListingChanges {
  readonly names: readonly string[]
}

/**
 * The changes that a client with the list of `before` would see. Offers are rebuilt with every
 * change in a tenant, mostly of the same tools, so the result is computed once for all clients that
 * move from the one to the other.
 */
export const listingChanges = cachePair((before: ToolOffer, after: ToolOffer): ListingChanges => {
  if (before === after) return { names: [] }
  const earlier = new Map(before.tools.map((tool) => [tool.name, tool]))
  const names: string[] = []
  for (const tool of after.tools) {
    const known = earlier.get(tool.name)
    earlier.delete(tool.name)
    if (known === undefined || !isListedAlike(known, tool)) names.push(tool.name)
  }
  return { names: [...names, ...earlier.keys()] }
})

/** Everything a list shows of a tool; add new facts of the list here. */
const plainFacts = [
  'wireName',
  'title',
  'description',
  'icon',
  'effect',
  'idempotent',
  'openWorld',
  'asks',
] as const
const deepFacts = ['inputSchema', 'outputSchema', 'icons'] as const

function isListedAlike(left: OfferedTool, right: OfferedTool): boolean {
  if (left === right) return true
  return (
    plainFacts.every((fact) => left[fact] === right[fact]) &&
    deepFacts.every((fact) => isAlike(left[fact], right[fact]))
  )
}

/** Schemas are mostly the same object; a reloaded one has its keys in the same order. */
function isAlike(left: unknown, right: unknown): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right)
}
