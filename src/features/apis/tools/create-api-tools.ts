import { mapInTurns } from '../../../core/kernel/map-in-turns.ts'
import type { Tool } from '../../../core/kernel/tool.ts'
import type { RuleStore } from '../../../core/rules/rule-store.ts'
import type { TenantView } from '../../../core/rules/tenant-view.ts'
import type { SourceChanged, ToolSource } from '../../../core/sources/tool-source.ts'
import type { OwnTool } from '../../../core/tenant-tables.ts'
import type { TrustedHosts } from '../../network/trusted-hosts.ts'
import type { DefinitionStore } from '../definition-store.ts'
import { judgeOperations, type JudgedOperation } from '../judge-operations.ts'
import { type ApiListing, readListing } from '../listing.ts'
import type { ApiOperation } from '../model.ts'
import { readApis, type UsableApi } from '../read-apis.ts'
import { apiPack } from '../spec.ts'
import { toApiTool } from './to-api-tool.ts'

interface ApiToolsOptions {
  rules: Pick<RuleStore, 'find' | 'marksUnder'>
  definitions: Pick<DefinitionStore, 'find'>
  trusted: TrustedHosts
}

/** The tools of APIs, which each tenant has for itself. */
export interface ApiTools {
  source: ToolSource
  changed(tenant: string): Promise<unknown>
}

/** Tenants whose tools are kept; others are made again. */
const heldAtMost = 500

interface Held {
  mark: string
  listing: ApiListing
  /** The settings that the tools were made with. */
  settings: string
  /** By name. */
  made: Map<string, MadeTool>
}

interface MadeTool {
  hash: string
  effect: string
  tool: Tool
  fault?: string
}

export function createApiTools({ rules, definitions, trusted }: ApiToolsOptions): ApiTools {
  const tenants = new Map<string, Map<string, Held>>()
  let changed: SourceChanged = async () => []

  async function toolsOf(view: TenantView): Promise<OwnTool[]> {
    const { slug, status } = view.tenant
    const apis = status === 'active' ? readApis(view).filter(isInUse) : []
    const before = tenants.get(slug) ?? new Map<string, Held>()
    trust(slug, apis, [...before.keys()])
    if (apis.length === 0) {
      tenants.delete(slug)
      return []
    }
    const marks = await rules.marksUnder(slug, 'api-tools', '')
    const now = new Map<string, Held>()
    const tools: OwnTool[] = []
    for (const api of apis) {
      const mark = marks.get(api.name)
      const held =
        mark && (await hold(rules, { tenant: slug, api, mark, before: before.get(api.name) }))
      if (!held) continue
      now.set(api.name, held)
      tools.push(...(await makeTools(definitions, { tenant: slug, api, held })))
    }
    keep(slug, now)
    return tools
  }

  function trust(tenant: string, apis: readonly UsableApi[], before: readonly string[]): void {
    for (const name of before) trusted.set(tenant, apiPack(name), [])
    for (const { name, spec } of apis) {
      trusted.set(tenant, apiPack(name), spec.private === true ? [new URL(spec.server)] : [])
    }
  }

  function keep(tenant: string, now: Map<string, Held>): void {
    tenants.delete(tenant)
    tenants.set(tenant, now)
    if (tenants.size > heldAtMost) tenants.delete(tenants.keys().next().value ?? '')
  }

  return {
    source: {
      name: 'apis',
      isYielding: true,
      watch: (given) => void (changed = given),
      toolsFor: async (owner) => (owner === 'everyone' ? [] : toolsOf(owner)),
    },
    changed: (tenant) => changed(tenant),
  }
}

interface Holding {
  tenant: string
  api: UsableApi
  mark: string
  before: Held | undefined
}

/** The listing of an API, read again only where it was written again. */
async function hold(
  rules: ApiToolsOptions['rules'],
  { tenant, api, mark, before }: Holding,
): Promise<Held | undefined> {
  const isSame = before?.mark === mark
  const listing = isSame
    ? before.listing
    : readListing(await rules.find(tenant, 'api-tools', api.name))
  if (listing === undefined) return undefined
  const settings = settingsOf(api, listing)
  const made = before?.settings === settings ? before.made : new Map<string, MadeTool>()
  return { mark, listing, settings, made }
}

/** Tools that are as they were stay the same objects. */
async function makeTools(
  definitions: ApiToolsOptions['definitions'],
  { tenant, api, held }: { tenant: string; api: UsableApi; held: Held },
): Promise<OwnTool[]> {
  const judged = judgeOperations(held.listing, api.spec).filter(({ state }) => state !== 'left out')
  const known = held.made
  const isKnown = ({ name, hash, effect }: JudgedOperation) => {
    const made = known.get(name)
    return made?.hash === hash && made.effect === effect
  }
  const missing = judged.filter((operation) => !isKnown(operation)).map(({ hash }) => hash)
  const found = await definitions.find({ tenant, api: api.name }, missing)
  const byHash = new Map(found.map(({ hash, definition }) => [hash, definition]))
  const schemes = held.listing.facts?.schemes ?? []
  const tools = await mapInTurns(judged, (operation): OwnTool[] => {
    const definition = byHash.get(operation.hash)
    if (!isKnown(operation)) {
      if (definition === undefined) return []
      known.set(operation.name, make({ api, operation, definition, schemes }))
    }
    return toOwnTool(operation, known.get(operation.name))
  })
  return tools.flat()
}

function isInUse(api: ReturnType<typeof readApis>[number]): api is UsableApi {
  return api.spec?.enabled === true && api.spec.server !== undefined
}

/** The settings that affect each tool. A change of others must not recreate all tools. */
function settingsOf({ spec }: UsableApi, { facts }: ApiListing): string {
  const { include: _i, exclude: _e, effects: _f, pin: _p, enabled: _n, url: _u, ...rest } = spec
  return JSON.stringify({ ...rest, schemes: facts?.schemes ?? [] })
}

interface Making {
  api: UsableApi
  operation: JudgedOperation
  definition: ApiOperation
  schemes: NonNullable<ApiListing['facts']>['schemes']
}

function make({ api, operation, definition, schemes }: Making): MadeTool {
  const { hash, effect } = operation
  const making = { api: api.name, spec: api.spec, schemes, definition, effect }
  return { hash, effect, ...toApiTool(making) }
}

function toOwnTool(operation: JudgedOperation, made: MadeTool | undefined): OwnTool[] {
  if (made === undefined) return []
  const reason =
    operation.state === 'quarantined' ? (operation.reason ?? 'it is set aside') : made.fault
  return [{ tool: made.tool, ...(reason !== undefined && { quarantine: reason }) }]
}
