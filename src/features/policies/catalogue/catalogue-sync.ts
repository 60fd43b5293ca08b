import type { Stores } from '../../stores.ts'
import type { Registry } from '../../../core/registry.ts'
import type { CatalogueRecord } from '../../../core/rules/catalogue.ts'
import { defaultTenant } from '../../../core/rules/tenant.ts'
import { forgetTool, renameTool } from './named-tools.ts'

interface CatalogueOptions {
  store: Pick<Stores, 'catalogue' | 'events' | 'rules' | 'tenants' | 'toolDirectory'>
  registry: Registry
  /** How long rules that name a removed tool are kept. */
  keepMs: number
  now(): number
  /**
   * At the start, changes since the last one are recorded as events; later ones are recorded by the
   * source of the tool.
   */
  isStart?: boolean
}

const by = { kind: 'system', id: 'catalogue' } as const

/**
 * Compares the loaded tools with the stored catalogue. New tools are added. A tool that no live
 * server has is marked as removed, and rules that name it are kept for a while. If another tool
 * lists its name as a former name, it was renamed, and its rules follow once no live server has the
 * old name: before that, a deny of the new name would stop nothing there. Tools of a source that is
 * down keep their rows, because they may come back.
 */
export async function syncCatalogue(options: CatalogueOptions): Promise<void> {
  const { store, registry } = options
  const at = options.now()
  const known = await readAll(store)
  const entries = registry.list()
  const here = new Map(entries.map(({ contract }) => [contract.name, contract]))
  const fresh = entries.filter(({ contract }) => {
    const row = known.get(contract.name)
    return row === undefined || row.goneMs !== undefined || row.title !== contract.title
  })
  const missing = [...known.values()].filter(({ name }) => !here.has(name))
  const renames = missing.flatMap(({ name }) => toRename(name, registry))
  const elsewhere = await Promise.all(
    renames.map(async ({ from }) => store.toolDirectory?.isElsewhere(from)),
  )
  const renamed = renames.filter((_rename, index) => !elsewhere[index])
  const isRenamed = new Set(renamed.map(({ from }) => from))
  const gone = await findGone(
    missing.filter(({ name, goneMs }) => goneMs === undefined && !isRenamed.has(name)),
    options,
  )
  for (const rename of renamed) await renameTool(rename, store)
  await store.catalogue.write({
    present: fresh.map(({ contract: { name, title } }) => ({ name, title })),
    gone,
    forgotten: [...isRenamed],
    at,
  })
  await tell(options, { known, fresh: fresh.map(({ contract }) => contract.name), gone })
}

/**
 * Forgets tools that were removed long enough ago, and rules that name them. Returns the number of
 * tools forgotten.
 */
export async function forgetGone({ store, keepMs, now }: CatalogueOptions): Promise<number> {
  const { items } = await store.catalogue.list({ state: 'gone', limit: 100 })
  const over = items.filter(({ goneMs = now() }) => goneMs + keepMs <= now())
  for (const { name } of over) {
    await forgetTool(name, store)
    await store.catalogue.write({ present: [], gone: [], forgotten: [name], at: now() })
  }
  return over.length
}

async function readAll({
  catalogue,
}: CatalogueOptions['store']): Promise<Map<string, CatalogueRecord>> {
  const all = new Map<string, CatalogueRecord>()
  let after: string | undefined
  do {
    const page = await catalogue.list({ after, limit: 1000 })
    for (const record of page.items) all.set(record.name, record)
    after = page.next
  } while (after !== undefined)
  return all
}

function toRename(from: string, registry: Registry): { from: string; to: string }[] {
  const to = registry.find(from)?.contract
  return to !== undefined && to.aliases.includes(from) ? [{ from, to: to.name }] : []
}

/** Not those that another server has, nor those of a source that has no tools at the moment. */
async function findGone(
  missing: readonly CatalogueRecord[],
  { store, registry }: CatalogueOptions,
): Promise<string[]> {
  const sources = new Set(registry.list().flatMap(({ contract }) => namespaceOf(contract.name)))
  const gone: string[] = []
  for (const { name } of missing) {
    const [namespace] = namespaceOf(name)
    if (namespace !== undefined && !sources.has(namespace)) continue
    if ((await store.toolDirectory?.isElsewhere(name)) === true) continue
    gone.push(name)
  }
  return gone
}

/** `mcp:github` of `mcp:github:search`. */
function namespaceOf(name: string): string[] {
  const at = name.lastIndexOf(':')
  return at === -1 ? [] : [name.slice(0, at)]
}

async function tell(
  { store, now, isStart = false }: CatalogueOptions,
  {
    known,
    fresh,
    gone,
  }: { known: Map<string, CatalogueRecord>; fresh: readonly string[]; gone: readonly string[] },
): Promise<void> {
  const at = now()
  const back = fresh.filter((name) => known.get(name)?.goneMs !== undefined)
  // At the first start everything is new, so no events are recorded.
  const added = known.size === 0 || !isStart ? [] : fresh.filter((name) => !known.has(name))
  const events = [
    ...added.map((tool) => ({ type: 'tool.registered' as const, at, data: { tool } })),
    ...back.map((tool) => ({ type: 'tool.returned' as const, at, data: { tool } })),
    ...gone.map((tool) => ({ type: 'tool.gone' as const, at, data: { tool } })),
  ]
  if (events.length === 0) return
  await store.events.record([{ tenant: defaultTenant, principal: by, events }])
}
