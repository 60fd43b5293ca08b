import { useQueries, useQueryClient } from '@tanstack/react-query'
import { holds, meQuery } from '../../api/me.ts'
import { entityToolQuery, findByIds, mostIds } from './entity-tool.ts'
import type { EntityTool } from './entity-tool.ts'
import type { EntityId, EntityType } from './entity-type.ts'

/** The known name of a value. */
export interface EntityName {
  label?: string
  /** The tool was asked for exactly this id and does not know it. */
  isMissing: boolean
}

export interface EntityNames {
  nameOf(of: EntityId): EntityName | undefined
  /** Tools that knew the names. */
  sources: readonly string[]
  /** Tools that reach outside: they are asked once somebody wants it. */
  outside: readonly string[]
}

/**
 * The names of values, looked up as the signed-in person, under the same policy and record as every call. A
 * tool that reaches outside is asked only where `mayAskOutside`: a value that an agent chose must not leave
 * by being looked at.
 */
export function useEntityNames(ids: readonly EntityId[], mayAskOutside = false): EntityNames {
  const me = useQueryClient().getQueryData(meQuery.queryKey)
  const mayCall = me === undefined || holds(me.permissions, 'tools.call')
  const types = new Map(ids.map(({ entity }) => [toKey(entity), entity]))
  const tools = useQueries({
    queries: [...types.values()].map((type) => ({ ...entityToolQuery(type), enabled: mayCall })),
    combine: (results) =>
      new Map([...types.keys()].map((key, index) => [key, results[index]?.data ?? undefined])),
  })
  const wanted = [...new Map(ids.map((one) => [toIdKey(one), one])).values()]
  const asked = wanted.flatMap((one) => {
    const tool = tools.get(toKey(one.entity))
    return tool === undefined || (tool.isOpenWorld && !mayAskOutside) ? [] : [{ ...one, tool }]
  })
  const names = useQueries({
    queries: asked.map(({ tool, id }) => nameQuery(tool, id)),
    combine: (results) =>
      new Map(asked.map((one, index) => [toIdKey(one), results[index]?.data ?? undefined])),
  })
  const known = [...tools.values()].filter((tool) => tool !== undefined)
  return {
    nameOf: (one) => names.get(toIdKey(one)),
    sources: known.filter(({ name }) => asked.some(({ tool }) => tool.name === name)).map(toName),
    outside: known.filter((tool) => tool.isOpenWorld && !mayAskOutside).map(toName),
  }
}

const toName = ({ name }: EntityTool) => name

function toKey({ type, tool }: EntityType): string {
  return `${type} ${tool ?? ''}`
}

function toIdKey({ entity, id }: EntityId): string {
  return `${toKey(entity)} ${JSON.stringify(id)}`
}

function nameQuery(tool: EntityTool, id: string | number) {
  return {
    queryKey: ['entity-name', tool.name, JSON.stringify(id)],
    queryFn: () => lookUp(tool, id),
    staleTime: 5 * 60_000,
    retry: false,
  }
}

interface Asked {
  id: string | number
  resolve: (name: EntityName) => void
  reject: (error: unknown) => void
}

const waiting = new Map<string, Asked[]>()

/** All that are asked for in one moment go in one call. */
function lookUp(tool: EntityTool, id: string | number): Promise<EntityName> {
  return new Promise((resolve, reject) => {
    const before = waiting.get(tool.name)
    if (before !== undefined) return void before.push({ id, resolve, reject })
    waiting.set(tool.name, [{ id, resolve, reject }])
    setTimeout(() => {
      const all = waiting.get(tool.name) ?? []
      waiting.delete(tool.name)
      for (let at = 0; at < all.length; at += mostIds) {
        void answer(tool, all.slice(at, at + mostIds))
      }
    }, 10)
  })
}

async function answer(tool: EntityTool, asked: readonly Asked[]): Promise<void> {
  try {
    const found = await findByIds(
      tool,
      asked.map(({ id }) => id),
    )
    for (const { id, resolve } of asked) {
      const label = found.get(JSON.stringify(id))?.label
      resolve(
        label === undefined
          ? { isMissing: tool.idsKey !== undefined }
          : { label, isMissing: false },
      )
    }
  } catch (error) {
    for (const { reject } of asked) reject(error)
  }
}
