import type { Caller } from '../kernel/call.ts'
import { ToolError } from '../kernel/errors.ts'
import type { Page } from '../kernel/page.ts'
import type { LibraryApi, LibraryQuery, LibrarySource } from './library-api.ts'
import { requirePermission } from '../operations/require-permission.ts'

const defaultLimit = 100
const largestLimit = 1000

/** Prompts and resources of all sources, in their order. */
export function createLibrary(sources: readonly LibrarySource[]): LibraryApi {
  async function gather<T>(
    list: (source: LibrarySource) => Promise<readonly T[]> | undefined,
  ): Promise<T[]> {
    return (await Promise.all(sources.map(async (source) => (await list(source)) ?? []))).flat()
  }
  /** The first source that has it. */
  async function first<T>(
    what: string,
    ask: (source: LibrarySource) => Promise<T | undefined> | undefined,
  ): Promise<T> {
    for (const source of sources) {
      const found = await ask(source)
      if (found !== undefined) return found
    }
    throw new ToolError('not_found', `There is no ${what.slice(0, 300)}`)
  }
  return {
    async listPrompts(caller, query) {
      enter(caller)
      const all = await gather((source) => source.listPrompts?.(caller, query.server))
      return toPage(all, ({ name }) => name, query)
    },
    async getPrompt(caller, prompt, client) {
      enter(caller)
      return first(`prompt ${JSON.stringify(prompt.name)}`, (source) =>
        source.getPrompt?.(caller, prompt, client),
      )
    },
    async listResources(caller, query) {
      enter(caller)
      const all = await gather((source) => source.listResources?.(caller, query.server))
      return toPage(all, ({ uri }) => uri, query)
    },
    async listResourceTemplates(caller, query) {
      enter(caller)
      const all = await gather((source) => source.listTemplates?.(caller, query.server))
      return toPage(all, ({ uriTemplate }) => uriTemplate, query)
    },
    async readResource(caller, resource) {
      enter(caller)
      return first(`resource ${JSON.stringify(resource.uri)}`, (source) =>
        source.readResource?.(caller, resource),
      )
    },
    async completeArgument(caller, request) {
      enter(caller)
      return first('such prompt or resource template', (source) =>
        source.complete?.(caller, request),
      )
    },
    ...watchingOf(sources),
  }
}

function watchingOf(
  sources: readonly LibrarySource[],
): Pick<LibraryApi, 'watchResources' | 'watchResource'> {
  return {
    watchResources(tenant, listener) {
      const stop = sources.map((source) =>
        source.watch?.(({ tenant: changed, uri }) => {
          if (uri !== undefined && (changed === undefined || changed === tenant)) listener(uri)
        }),
      )
      return () => stop.forEach((end) => end?.())
    },
    async watchResource(caller, resource, listener) {
      enter(caller)
      for (const source of sources) {
        const stop = await source.watchResource?.(caller, resource, listener)
        if (stop !== undefined) return stop
      }
      return undefined
    },
  }
}

function enter(caller: Caller): void {
  requirePermission(caller, 'tools.call')
}

function toPage<T>(all: readonly T[], keyOf: (item: T) => string, query: LibraryQuery): Page<T> {
  const sorted = [...all].sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1))
  const { after } = query
  const from = after === undefined ? 0 : sorted.findIndex((item) => keyOf(item) > after)
  if (from < 0) return { items: [] }
  const limit = Math.min(query.limit ?? defaultLimit, largestLimit)
  const items = sorted.slice(from, from + limit)
  const last = items.at(-1)
  return from + limit >= sorted.length || last === undefined
    ? { items }
    : { items, next: keyOf(last) }
}
