import { cachePair } from '../kernel/identity-cache.ts'
import type { OfferedTool, ToolOffer } from './tool-offer.ts'

/** The canonical names of tools that are listed in one of two offers only, or otherwise than in the other. */
export interface ListingChanges {
  readonly names: readonly string[]
}

/**
 * What whoever has the list of `before` would see anew. Offers are made anew with every change in a
 * tenant, mostly of the same tools: found once for all clients that had the one and get the other.
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

/** All that a list shows of a tool; a fact that joins a list joins these. */
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

/** Schemas are mostly the same object; one that was loaded again has its keys in the same order. */
function isAlike(left: unknown, right: unknown): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right)
}
