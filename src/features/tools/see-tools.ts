import type { Caller } from '../../core/kernel/call.ts'
import { cacheByIdentity, cachePair } from '../../core/kernel/identity-cache.ts'
import type { Scope } from '../../core/policy/scope.ts'
import { findToolState } from '../../core/policy/tool-state.ts'
import type { RegisteredTool } from '../../core/registry.ts'
import { defaultTenant } from '../../core/rules/tenant.ts'
import { checkPortability } from '../../core/schema/portability.ts'
import { toFormFields } from '../../core/schema/to-form-fields.ts'
import { fitsWords } from '../../core/search/fits-words.ts'
import { isMetaTool } from '../../core/kernel/meta-tools.ts'
import type { ToolDetail, ToolListing, ToolQuery } from '../../core/tools/tool-listing.ts'

/** Listing 1,000 tools again and again must cost nothing while neither tools nor scope change. */
export const listTools = cachePair((tools: readonly RegisteredTool[], scope: Scope) =>
  // Where tools are searched for, the offer has the means; a list has no use for them.
  Object.freeze(
    tools.flatMap((entry) => (isMetaTool(entry.contract.name) ? [] : toShared(entry, scope))),
  ),
)

export const countPacks = cacheByIdentity((listings: readonly ToolListing[]) => {
  const counts = new Map<string, number>()
  for (const { pack } of listings) counts.set(pack, (counts.get(pack) ?? 0) + 1)
  return [...counts]
    .map(([name, tools]) => ({ name, tools }))
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
})

/** Tools of other tenants exist for the operators of the whole crib alone. */
export function countOthers(
  entries: readonly RegisteredTool[],
  { caller, scope, seen }: { caller: Caller; scope: Scope; seen: number },
): number {
  const isKnown = ({ contract: { name, tenants } }: RegisteredTool) =>
    !isMetaTool(name) &&
    (caller.tenant === defaultTenant || tenants.length === 0 || tenants.includes(scope.tenant))
  return entries.filter(isKnown).length - seen
}

/** A tool that is ready looks the same to everybody: thousands of lists hold the same objects. */
const readyListings = new WeakMap<RegisteredTool, ToolListing>()

function toShared(entry: RegisteredTool, scope: Scope): ToolListing[] {
  const listing = toListing(entry, scope)
  if (listing === undefined) return []
  if (listing.state !== 'ready') return [listing]
  const known = readyListings.get(entry)
  // Another tool's arrival may change what it is called on the wire.
  if (known?.wireName === listing.wireName) return [known]
  readyListings.set(entry, listing)
  return [listing]
}

/** An agent is offered only what is ready; people also see what they could mend. */
export function toListing(entry: RegisteredTool, scope: Scope): ToolListing | undefined {
  const standing = findToolState(entry, scope)
  if (standing === undefined || (scope.agent !== undefined && standing.state !== 'ready'))
    return undefined
  const { name, title, description, effect, source, icon, approval } = entry.tool.contract
  const { state, reason, fix } = standing
  return {
    name,
    wireName: entry.wireName,
    title,
    description,
    effect,
    pack: entry.pack,
    source,
    state,
    ...(reason !== undefined && { reason }),
    ...(fix !== undefined && { fix }),
    ...(icon !== undefined && { icon }),
    ...(approval === 'always' && { asks: true as const }),
  }
}

/** The contract's facts and what is known around them, side by side. */
export function toDetail({ tool }: RegisteredTool, listing: ToolListing): ToolDetail {
  const { contract } = tool
  return {
    ...contract,
    ...listing,
    portability: checkPortability(contract.inputSchema),
    warnings: tool.warnings.map((issue) => `${issue.path}: ${issue.message}`),
    fields: toFormFields(contract.inputSchema),
  }
}

export function matches(tool: ToolListing, query: ToolQuery): boolean {
  const isOther = (['pack', 'source', 'effect', 'state'] as const).some(
    (fact) => query[fact] !== undefined && tool[fact] !== query[fact],
  )
  if (isOther) return false
  return fitsWords(query.q || undefined, [tool.name, tool.title, tool.description])
}
