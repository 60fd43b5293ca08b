import { api, read } from '../../api/client.ts'
import type { JsonValue } from '../../api/json.ts'
import { ApiProblem } from '../../api/problem.ts'
import { isRecord } from '../model/schema.ts'

export interface Entity {
  id: JsonValue
  label: string
}

/**
 * The tool that knows things of a type: the one that the schema names, else `<type>.search`, else
 * `<type>.list`. Only one that reads: typing a letter must not change anything.
 */
export async function findEntityTool(
  type: string,
  named: string | undefined,
): Promise<string | null> {
  const names = named === undefined ? [`${type}.search`, `${type}.list`] : [named]
  for (const name of names) {
    const { data } = await api.GET('/api/v1/tools/{name}', { params: { path: { name } } })
    if (data !== undefined && data.effect === 'read' && data.state === 'ready') return data.name
  }
  return null
}

/** Asks the tool for what fits the typed text. */
export async function findEntities(tool: string, text: string): Promise<Entity[]> {
  const call = await read(
    api.POST('/api/v1/tools/{name}/calls', {
      params: { path: { name: tool } },
      body: { input: { q: text } },
    }),
  )
  if (typeof call === 'string' || call.status !== 'completed') {
    const status = typeof call === 'string' ? 'streamed' : call.status
    const message = `${tool} did not answer at once: the call is ${status}.`
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

function toEntity(entry: unknown): Entity | undefined {
  if (typeof entry === 'string' || typeof entry === 'number') {
    return { id: entry, label: String(entry) }
  }
  if (!isRecord(entry)) return undefined
  const id = firstOf(entry, ['id', 'value', 'key', 'slug', 'name'])
  if (id === undefined) return undefined
  return { id, label: String(firstOf(entry, ['label', 'title', 'name', 'email']) ?? id) }
}

function firstOf(entry: Record<string, unknown>, names: readonly string[]) {
  for (const name of names) {
    const value = entry[name]
    if (typeof value === 'string' || typeof value === 'number') return value
  }
  return undefined
}
