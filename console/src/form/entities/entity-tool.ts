import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import type { JsonObject } from '../../api/json.ts'
import { ApiProblem } from '../../api/problem.ts'
import { isRecord } from '../model/schema.ts'
import { toSafeLine } from '../../output/values/safe-text.ts'
import type { EntityType } from './entity-type.ts'

/** One thing that a tool knows. */
export interface Entity {
  id: string | number
  label: string
}

/** A tool that knows the things of a type, and how to ask it. */
export interface EntityTool {
  name: string
  /** The property that takes what was typed. */
  searchKey: string
  /** The property that takes a list of ids, where there is one. */
  idsKey?: string
  /** Calling it sends what it is asked to somebody else. */
  isOpenWorld: boolean
}

/** The query that finds the tool for a type, shared by everything that shows such values. */
export function entityToolQuery({ type, tool }: EntityType) {
  return {
    queryKey: ['tool', 'entities', type, tool ?? ''],
    queryFn: () => findEntityTool({ type, ...(tool !== undefined && { tool }) }),
    staleTime: 60_000,
    retry: false,
  }
}

/**
 * The tool that knows things of a type: the one that the schema names, else `<type>.search`, else
 * `<type>.list`. Only one that reads: looking at a value must not change anything.
 */
async function findEntityTool({ type, tool }: EntityType): Promise<EntityTool | null> {
  const names = tool === undefined ? [`${type}.search`, `${type}.list`] : [tool]
  for (const name of names) {
    const { data } = await api.GET('/api/v1/tools/{name}', { params: { path: { name } } })
    if (data !== undefined && data.effect === 'read' && data.state === 'ready') {
      return toEntityTool(data)
    }
  }
  return null
}

const searchKeys = ['q', 'query', 'search', 'contains']

function toEntityTool({ name, inputSchema, openWorld }: Api<'ToolDetail'>): EntityTool {
  const schema: unknown = inputSchema
  const properties = isRecord(schema) ? schema['properties'] : undefined
  const has = (key: string) => isRecord(properties) && Object.hasOwn(properties, key)
  return {
    name,
    searchKey: searchKeys.find(has) ?? 'q',
    ...(has('ids') && { idsKey: 'ids' }),
    isOpenWorld: openWorld,
  }
}

/** Asks the tool for what fits the typed text. */
export function findEntities(tool: EntityTool, text: string): Promise<Entity[]> {
  return ask(tool, { [tool.searchKey]: text })
}

/** How many are asked for at once: as many as a list of ids usually takes. */
export const mostIds = 50
/** Without a list of ids each is a call of its own, so that only a few are looked up. */
const mostSearches = 5

/** The things with these ids, as far as the tool knows them, by their id as JSON. */
export async function findByIds(
  tool: EntityTool,
  ids: readonly (string | number)[],
): Promise<Map<string, Entity>> {
  const found = new Map<string, Entity>()
  const keep = (entities: readonly Entity[]) => {
    for (const entity of entities) found.set(JSON.stringify(entity.id), entity)
  }
  if (tool.idsKey !== undefined) {
    keep(await ask(tool, { [tool.idsKey]: [...ids] }))
    return found
  }
  keep(await findEntities(tool, ''))
  const missing = ids.filter((id) => !found.has(JSON.stringify(id)))
  for (const id of missing.slice(0, mostSearches)) keep(await findEntities(tool, String(id)))
  return found
}

async function ask({ name }: EntityTool, input: JsonObject): Promise<Entity[]> {
  const call = await read(
    api.POST('/api/v1/tools/{name}/calls', { params: { path: { name } }, body: { input } }),
  )
  if (typeof call === 'string' || call.status !== 'completed') {
    const status = typeof call === 'string' ? 'streamed' : call.status
    const message = `${name} did not answer at once: the call is ${status}.`
    throw new ApiProblem({ code: 'not_settled', status: 202, message })
  }
  return toEntities(call.output)
}

const most = 50

/** A list, or the first list in the answer; of each entry its id and what it is called. */
export function toEntities(output: unknown): Entity[] {
  const list = Array.isArray(output)
    ? output
    : isRecord(output)
      ? (Object.values(output).find((value) => Array.isArray(value)) as unknown[] | undefined)
      : undefined
  const entities = new Map<string, Entity>()
  for (const entry of list ?? []) {
    const entity = toEntity(entry)
    if (entity !== undefined) entities.set(JSON.stringify(entity.id), entity)
    if (entities.size === most) break
  }
  return [...entities.values()]
}

const longestLabel = 120

function toEntity(entry: unknown): Entity | undefined {
  if (typeof entry === 'string' || typeof entry === 'number') {
    return { id: entry, label: String(entry) }
  }
  if (!isRecord(entry)) return undefined
  const id = firstOf(entry, ['id', 'value', 'key', 'slug', 'name'])
  if (id === undefined) return undefined
  const name = firstOf(entry, ['label', 'title', 'name', 'email', 'summary', 'text']) ?? id
  const label = toSafeLine(String(name))
  return { id, label: label.length > longestLabel ? `${label.slice(0, longestLabel)}…` : label }
}

function firstOf(entry: Record<string, unknown>, names: readonly string[]) {
  for (const name of names) {
    const value = entry[name]
    if (typeof value === 'string' || typeof value === 'number') return value
  }
  return undefined
}
