import type { Caller } from '../../core/kernel/call.ts'
import { asAgent } from '../../core/kernel/caller.ts'
import type { CribApi } from '../../features/crib-api.ts'
import type {
  ToolCounts,
  ToolDetail,
  ToolFileProblem,
  ToolListing,
  ToolQuery,
} from '../../core/crib-api.ts'
import type { PipelinePorts } from '../../core/pipeline/ports.ts'
import { findHiding } from '../../core/policy/explain.ts'
import { cacheByIdentity, cachePair } from '../../core/kernel/identity-cache.ts'
import type { Scope } from '../../core/policy/scope.ts'
import { findToolState } from '../../core/policy/tool-state.ts'
import type { RegisteredTool, Registry } from '../../core/registry.ts'
import { checkPortability } from '../../core/schema/portability.ts'
import { defaultTenant } from '../../core/rules/tenant.ts'
import { isMetaTool } from '../../core/kernel/meta-tools.ts'
import { fitsWords } from '../../core/search/fits-words.ts'
import type { ScopeSource } from '../governance/scope-source.ts'
import { holds, requirePermission } from '../../core/operations/require-permission.ts'

type ToolAccess = Pick<CribApi, 'listTools' | 'countTools' | 'findTool' | 'listToolFileProblems'>

interface ToolAccessOptions {
  registry: Registry
  scopes: ScopeSource
  ports: Pick<PipelinePorts, 'refusals'>
  /** Tool files that do not load now. */
  fileProblems(): readonly ToolFileProblem[]
}

const defaultLimit = 200
const largestLimit = 1000

/** What a caller sees. */
export function createToolAccess(options: ToolAccessOptions): ToolAccess {
  const { registry, scopes } = options
  return {
    async listTools(caller, query) {
      requirePermission(caller, 'tools.call')
      const scope = await scopes.scopeFor(asAgent(caller, query))
      const all = listTools(registry.list(scope.tenant), scope).filter((tool) =>
        matches(tool, query),
      )
      const limit = Math.min(query.limit ?? defaultLimit, largestLimit)
      const from =
        query.after === undefined ? 0 : all.findIndex((tool) => tool.name > (query.after ?? ''))
      const items = from < 0 ? [] : all.slice(from, from + limit)
      const isLast = from < 0 || from + limit >= all.length
      return isLast ? { items } : { items, next: items.at(-1)?.name }
    },
    async countTools(caller, query) {
      requirePermission(caller, 'tools.call')
      const scope = await scopes.scopeFor(asAgent(caller, query))
      const entries = registry.list(scope.tenant)
      const all = listTools(entries, scope)
      const counts: ToolCounts = {
        total: all.filter((tool) => matches(tool, query)).length,
        packs: countPacks(all),
      }
      // Without policy.read there is nothing that the caller does not see.
      if (!holds(caller, 'policy.read')) return counts
      return { ...counts, hidden: countOthers(entries, { caller, scope, seen: all.length }) }
    },
    async findTool(caller, name, query = {}) {
      requirePermission(caller, 'tools.call')
      const as = asAgent(caller, query)
      const scope = await scopes.scopeFor(as)
      const entry = registry.find(name, scope.tenant)
      const listing = entry && toListing(entry, scope)
      if (entry === undefined || listing === undefined) {
        const { answer, refuse } = options.ports.refusals
        // An agent that asks about a tool would call it next; a person looks at a page.
        const tell = caller.agent === undefined ? answer : refuse
        throw await tell(as, name, entry && findHiding(entry, scope))
      }
      return { ...toDetail(entry, listing), ...toLastWorking(caller, entry, options) }
    },
    async listToolFileProblems(caller) {
      requirePermission(caller, 'tools.approve')
      return maySeeFiles(caller) ? options.fileProblems() : []
    },
  }
}

/** Files are common to all tenants and nobody's but the operator's. */
function maySeeFiles(caller: Caller): boolean {
  return caller.tenant === defaultTenant && holds(caller, 'tools.approve')
}

function toLastWorking(
  caller: Caller,
  { contract: { name } }: RegisteredTool,
  { fileProblems }: ToolAccessOptions,
): Pick<ToolDetail, 'lastWorking'> {
  const problem = fileProblems().find(({ tools }) => tools.includes(name))
  if (problem === undefined) return {}
  return { lastWorking: maySeeFiles(caller) ? { problem } : {} }
}

/** Listing 1,000 tools again and again must cost nothing while neither tools nor scope change. */
const listTools = cachePair((tools: readonly RegisteredTool[], scope: Scope) =>
  // Where tools are searched for, the offer has the means; a list has no use for them.
  Object.freeze(
    tools.flatMap((entry) => (isMetaTool(entry.contract.name) ? [] : toShared(entry, scope))),
  ),
)

const countPacks = cacheByIdentity((listings: readonly ToolListing[]) => {
  const counts = new Map<string, number>()
  for (const { pack } of listings) counts.set(pack, (counts.get(pack) ?? 0) + 1)
  return [...counts]
    .map(([name, tools]) => ({ name, tools }))
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
})

/** Tools of other tenants exist for the operators of the whole crib alone. */
function countOthers(
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
function toListing(entry: RegisteredTool, scope: Scope): ToolListing | undefined {
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

function toDetail(entry: RegisteredTool, listing: ToolListing): ToolDetail {
  return {
    ...listing,
    contract: entry.tool.contract,
    portability: checkPortability(entry.tool.contract.inputSchema),
    warnings: entry.tool.warnings.map((issue) => `${issue.path}: ${issue.message}`),
  }
}

function matches(tool: ToolListing, query: ToolQuery): boolean {
  const { q } = query
  const isOther = (['pack', 'source', 'effect', 'state'] as const).some(
    (fact) => query[fact] !== undefined && tool[fact] !== query[fact],
  )
  if (isOther) return false
  return fitsWords(q, [tool.name, tool.title, tool.description])
}
