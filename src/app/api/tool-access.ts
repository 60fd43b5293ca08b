import type { Caller } from '../../core/call.ts'
import { asAgent } from '../../core/caller.ts'
import type { CribApi, ToolDetail, ToolListing, ToolQuery } from '../../core/crib-api.ts'
import type { LoadReport } from '../../core/crib-api.ts'
import { ToolError } from '../../core/errors.ts'
import { toolNotFound } from '../../core/pipeline/call-tool.ts'
import { explain, explainOne } from '../../core/policy/explain.ts'
import type { Explanation, LayerName, Scope } from '../../core/policy/scope.ts'
import { findToolState } from '../../core/policy/tool-state.ts'
import type { RegisteredTool, Registry } from '../../core/registry.ts'
import { checkPortability } from '../../core/schema/portability.ts'
import { defaultTenant, type ScopeSource } from '../governance/scope-source.ts'
import { holds, requireOneOf, requirePermission } from './permissions.ts'

type ToolAccess = Pick<CribApi, 'listTools' | 'findTool' | 'explain'>

interface ToolAccessOptions {
  registry: Registry
  scopes: ScopeSource
  reports(): readonly LoadReport[]
}

const defaultLimit = 200
const largestLimit = 1000

/** What a caller sees, and why. */
export function createToolAccess(options: ToolAccessOptions): ToolAccess {
  const { registry, scopes } = options
  const listed = createListingCache(registry)

  return {
    async listTools(caller, query) {
      requirePermission(caller, 'tools.call')
      const scope = await scopes.scopeFor(asAgent(caller, query))
      const all = listed(scope).filter((tool) => matches(tool, query))
      const limit = Math.min(query.limit ?? defaultLimit, largestLimit)
      const from =
        query.after === undefined ? 0 : all.findIndex((tool) => tool.name > (query.after ?? ''))
      const items = from < 0 ? [] : all.slice(from, from + limit)
      const isLast = from < 0 || from + limit >= all.length
      return isLast ? { items } : { items, next: items.at(-1)?.name }
    },
    async findTool(caller, name, query = {}) {
      requirePermission(caller, 'tools.call')
      const scope = await scopes.scopeFor(asAgent(caller, query))
      const entry = registry.find(name)
      const listing = entry && toListing(entry, scope)
      if (entry === undefined || listing === undefined) throw toolNotFound(name)
      return toDetail(entry, listing, options.reports())
    },
    async explain(caller, query) {
      requireOneOf(caller, ['tools.call', 'policy.read'])
      const mayReadPolicy = holds(caller, 'policy.read')
      const isAnother =
        (query.agent !== undefined && query.agent !== caller.agent) ||
        (query.skill !== undefined && query.skill !== caller.skill) ||
        (query.runtime !== undefined && query.runtime !== caller.runtime)
      if (isAnother) requirePermission(caller, 'policy.read')
      const scope = await scopes.scopeFor(asAgent(caller, query))
      const hiding = hidingLayers(caller, mayReadPolicy)
      const mayKnow = (one: Explanation) => !isKeptSecret(one, hiding)
      if (query.tool === undefined) return explain(registry.list(), scope).filter(mayKnow)
      const entry = registry.find(query.tool)
      const explanation = entry && explainOne(entry, scope)
      if (explanation === undefined || !mayKnow(explanation)) throw notRegistered(query.tool)
      return [explanation]
    },
  }
}

/**
 * What these layers hide does not exist for the caller, not even its name: tools of other tenants for
 * everybody but the operators of the whole crib, tools of other runtimes for who may not read policy.
 */
function hidingLayers({ tenant }: Caller, mayReadPolicy: boolean): readonly LayerName[] {
  const isOperator = mayReadPolicy && tenant === defaultTenant
  return [
    ...(isOperator ? [] : ['tenant' as const]),
    ...(mayReadPolicy ? [] : ['runtime' as const]),
  ]
}

function isKeptSecret({ layers }: Explanation, hiding: readonly LayerName[]): boolean {
  return layers.some(({ layer, passes }) => !passes && hiding.includes(layer))
}

function notRegistered(name: string): ToolError {
  return new ToolError(
    'not_found',
    `No tool is registered as ${JSON.stringify(name.slice(0, 200))}`,
    { fix: 'toolcrib tools lists what is there; toolcrib check says what could not be loaded.' },
  )
}

/** Listing 1,000 tools again and again must cost nothing while neither tools nor scope change. */
function createListingCache(registry: Registry): (scope: Scope) => readonly ToolListing[] {
  let cache = new WeakMap<Scope, readonly ToolListing[]>()
  let version = -1
  return (scope) => {
    if (version !== registry.version) {
      cache = new WeakMap()
      version = registry.version
    }
    const known = cache.get(scope)
    if (known !== undefined) return known
    const listing = registry.list().flatMap((entry) => toListing(entry, scope) ?? [])
    cache.set(scope, listing)
    return listing
  }
}

/** An agent is offered only what is ready; people also see what they could mend. */
function toListing(entry: RegisteredTool, scope: Scope): ToolListing | undefined {
  const standing = findToolState(entry, scope)
  if (standing === undefined || (scope.agent !== undefined && standing.state !== 'ready'))
    return undefined
  const { name, title, description, effect, source } = entry.tool.contract
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
  }
}

function toDetail(
  entry: RegisteredTool,
  listing: ToolListing,
  reports: readonly LoadReport[],
): ToolDetail {
  const report = reports.find((candidate) => candidate.file === entry.file)
  const own = entry.tool.warnings.map((issue) => `${issue.path}: ${issue.message}`)
  const error =
    report?.error === undefined ? [] : [`Its file has an error: ${report.error.message}`]
  return {
    ...listing,
    contract: entry.tool.contract,
    portability: checkPortability(entry.tool.contract.inputSchema),
    warnings: [...own, ...error],
  }
}

function matches(tool: ToolListing, { q, pack, source }: ToolQuery): boolean {
  if (pack !== undefined && tool.pack !== pack) return false
  if (source !== undefined && tool.source !== source) return false
  if (q === undefined || q.trim() === '') return true
  const text = `${tool.name} ${tool.title} ${tool.description}`.toLowerCase()
  return q
    .toLowerCase()
    .trim()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
