import type { Caller } from '../../core/kernel/call.ts'
import type { Page } from '../../core/kernel/page.ts'
import type { Stores } from '../stores.ts'
import type { Registry } from '../../core/registry.ts'
import type { CatalogueRecord } from '../../core/rules/catalogue.ts'
import { namesTool } from '../../core/rules/read-rules.ts'
import type { Rule } from '../../core/rules/rule-store.ts'
import { defaultTenant } from '../../core/rules/tenant.ts'
import type { CatalogueEntry } from './schemas.ts'

const dayMs = 86_400_000

/** The sources of the catalogue. */
export interface CatalogueParts {
  store: Pick<Stores, 'catalogue' | 'rules'>
  config: { catalogue: { keepDays: number } }
  registry: Pick<Registry, 'find'>
}

interface CatalogueQuery {
  state?: CatalogueEntry['state'] | undefined
  after?: string | undefined
  limit: number
}

/** A page of present and former tools, as far as the caller may know of them. */
export async function listCatalogueOf(
  query: CatalogueQuery,
  caller: Caller,
  parts: CatalogueParts,
): Promise<Page<CatalogueEntry>> {
  const items: CatalogueEntry[] = []
  for await (const entry of readKnown(parts, caller, query)) {
    // Counts only tools the caller may know of, because the end of a page would reveal the others.
    if (items.length >= query.limit) return { items, next: items.at(-1)?.tool }
    items.push(entry)
  }
  return { items }
}

/** A removed tool, as far as the caller may know of it. */
export async function findGone(
  parts: CatalogueParts,
  caller: Caller,
  tool: string,
): Promise<CatalogueEntry | undefined> {
  for await (const entry of readKnown(parts, caller, { state: 'gone' })) {
    if (entry.tool === tool) return entry
  }
  return undefined
}

async function* readKnown(
  { store, config, registry }: CatalogueParts,
  caller: Caller,
  query: Place,
): AsyncGenerator<CatalogueEntry> {
  const rules = await store.rules.read(caller.tenant, ['agent', 'grants'])
  const keepMs = config.catalogue.keepDays * dayMs
  for await (const record of readOn(store.catalogue, query)) {
    const entry = toEntry(record, rules, keepMs)
    if (mayKnow(caller, entry, registry)) yield entry
  }
}

type Place = Omit<CatalogueQuery, 'limit'>

const readAtOnce = 200

async function* readOn(
  catalogue: Stores['catalogue'],
  { state, after: start }: Place,
): AsyncGenerator<CatalogueRecord> {
  let after = start
  do {
    const page = await catalogue.list({ state, after, limit: readAtOnce })
    yield* page.items
    after = page.next
  } while (after !== undefined)
}

/** Tools of other tenants do not exist here, nor do tools of which only the name remains. */
function mayKnow(
  { tenant }: Caller,
  entry: CatalogueEntry,
  registry: CatalogueParts['registry'],
): boolean {
  if (tenant === defaultTenant) return true
  const tenants = registry.find(entry.tool)?.contract.tenants
  // Naming a tool must not reveal whether it exists.
  if (tenants === undefined) return entry.agents.length > 0
  return tenants.length === 0 || tenants.includes(tenant)
}

function toEntry(record: CatalogueRecord, rules: readonly Rule[], keepMs: number): CatalogueEntry {
  const { name: tool, title, firstSeenMs, goneMs } = record
  const agents = rules.filter((rule) => namesTool(rule, tool)).map(({ name }) => name)
  return {
    tool,
    title,
    state: goneMs === undefined ? 'present' : 'gone',
    firstSeenAt: new Date(firstSeenMs).toISOString(),
    ...(goneMs !== undefined && {
      goneAt: new Date(goneMs).toISOString(),
      keptUntil: new Date(goneMs + keepMs).toISOString(),
    }),
    agents: [...new Set(agents)].toSorted(),
  }
}
