import type { Caller } from '../../core/call.ts'
import type { ResourceContents } from '../../core/content.ts'
import { isToolError } from '../../core/errors.ts'
import { isRecord } from '../../core/schema/json/json-type.ts'
import type {
  CompletionTarget,
  PromptListing,
  PromptMessage,
  ResourceListing,
  ResourceTemplate,
  ShelfSource,
} from '../../core/shelf/shelf-api.ts'
import type { Server } from '../servers/create-server.ts'
import { type JsonRecord, rpcFaultOf } from '../wire/messages.ts'
import { askServer } from './ask-server.ts'
import { createResourceWatch } from './resource-watch.ts'
import { createShelfLists, type ShelfKind } from './shelf-lists.ts'
import { fitsTemplate } from './fits-template.ts'

interface ShelfOptions {
  /** Those of the caller's tenant and everybody's; of one name, one. */
  serversOf(tenant: string): readonly Server[]
  seesTools(caller: Caller, prefix: string): Promise<boolean>
  now(): number
}

type Watcher = Parameters<NonNullable<ShelfSource['watch']>>[0]

/** Prompts and resources of other servers, for callers who see at least one of the server's tools. */
export function createGatewayShelf(options: ShelfOptions) {
  const lists = createShelfLists(options.now)
  const watchers = new Set<Watcher>()
  const resources = createResourceWatch()

  async function visible(caller: Caller, name: string | undefined): Promise<Server[]> {
    const all = options
      .serversOf(caller.tenant)
      .filter(
        ({ facts }) => facts.spec.enabled && (name === undefined || facts.key.server === name),
      )
    const seen = await Promise.all(
      all.map(async (server) => {
        if (server.status().tools.length === 0) return true
        return options.seesTools(caller, `mcp:${server.facts.key.server}:`)
      }),
    )
    return all.filter((_server, index) => seen[index])
  }
  async function gather<T>(
    caller: Caller,
    { kind, server: name }: { kind: ShelfKind; server: string | undefined },
    toListing: (item: JsonRecord, server: string) => T | undefined,
  ): Promise<T[]> {
    const servers = await visible(caller, name)
    const found = await Promise.all(
      servers.map(async (server) => {
        const items = await lists.read(server, kind, caller.principal)
        return items.flatMap((item) => toListing(item, server.facts.key.server) ?? [])
      }),
    )
    return found.flat()
  }
  /** The server that a full name, or a name with its server beside it, belongs to. */
  async function findServer(caller: Caller, name: string, server: string | undefined) {
    const [, prefix, rest] = server === undefined ? (/^mcp:([^:]+):(.*)$/s.exec(name) ?? []) : []
    const [found] = await visible(caller, server ?? prefix ?? '')
    return found && { found, name: rest ?? name }
  }
  /** Where this address may be read, the likeliest first. */
  async function readersOf(caller: Caller, uri: string, server: string | undefined) {
    const servers = await visible(caller, server)
    if (server !== undefined) return servers
    const fits = await Promise.all(
      servers.map(async (one) => {
        const known = await lists.read(one, 'resources', caller.principal)
        if (known.some((item) => item['uri'] === uri)) return true
        const templates = await lists.read(one, 'templates', caller.principal)
        return templates.some((item) => fitsTemplate(String(item['uriTemplate'] ?? ''), uri))
      }),
    )
    return servers.filter((_one, index) => fits[index])
  }
  const shelf: ShelfSource = {
    listPrompts: (caller, server) =>
      gather(caller, { kind: 'prompts', server }, (item, of) =>
        toPrompt(item, { of, isOwnName: server !== undefined }),
      ),
    listResources: (caller, server) =>
      gather(caller, { kind: 'resources', server }, (item, of) =>
        typeof item['uri'] === 'string' ? toListing<ResourceListing>(item, of) : undefined,
      ),
    listTemplates: (caller, server) =>
      gather(caller, { kind: 'templates', server }, (item, of) =>
        typeof item['uriTemplate'] === 'string' ? toListing<ResourceTemplate>(item, of) : undefined,
      ),
    async getPrompt(caller, prompt, client) {
      const place = await findServer(caller, prompt.name, prompt.server)
      if (place === undefined) return undefined
      const params = { name: place.name, arguments: { ...prompt.arguments } }
      const result = await askServer(
        place.found,
        { method: 'prompts/get', params },
        { caller, client },
      )
      if (!Array.isArray(result?.['messages'])) return undefined
      const { description, messages } = result
      return {
        ...(typeof description === 'string' && { description }),
        messages: messages as unknown as PromptMessage[],
      }
    },
    async readResource(caller, { uri, server }) {
      for (const one of await readersOf(caller, uri, server)) {
        const request = { method: 'resources/read', params: { uri } }
        const result = await askServer(one, request, { caller }).catch(ignoreAnswers)
        if (!Array.isArray(result?.['contents'])) continue
        void resources.follow(one, uri, caller.principal)
        return result['contents'] as unknown as ResourceContents[]
      }
      return undefined
    },
    async complete(caller, { target, argument, known, server }) {
      const place = await findTarget(caller, target, server)
      if (place === undefined) return undefined
      const params = {
        ref: place.ref,
        argument: { ...argument },
        ...(known !== undefined && { context: { arguments: { ...known } } }),
      }
      const request = { method: 'completion/complete', params }
      const result = await askServer(place.found, request, { caller })
      const completion = isRecord(result?.['completion']) ? result['completion'] : undefined
      if (!Array.isArray(completion?.['values'])) return undefined
      return completion as unknown as { values: string[] }
    },
    watch(listener) {
      const entry: Watcher = (change) => listener(change)
      watchers.add(entry)
      return () => void watchers.delete(entry)
    },
  }
  async function findTarget(
    caller: Caller,
    target: CompletionTarget,
    server: string | undefined,
  ): Promise<{ found: Server; ref: JsonRecord } | undefined> {
    if (target.type === 'prompt') {
      const place = await findServer(caller, target.name, server)
      return place && { found: place.found, ref: { type: 'ref/prompt', name: place.name } }
    }
    for (const found of await visible(caller, server)) {
      const templates = await lists.read(found, 'templates', caller.principal)
      if (!templates.some((item) => item['uriTemplate'] === target.uriTemplate)) continue
      return { found, ref: { type: 'ref/resource', uri: target.uriTemplate } }
    }
    return undefined
  }
  return {
    shelf,
    /** From here on what changes at this server is told. Returns the way to stop. */
    attach(server: Server): () => void {
      const { key, isForEveryone } = server.facts
      return server.watch(({ uri }) => {
        if (uri === undefined) lists.forget(server)
        const change = {
          ...(!isForEveryone && { tenant: key.tenant }),
          ...(uri !== undefined && { uri }),
        }
        for (const watcher of watchers) watcher(change)
      })
    },
  }
}

/** A server that says no to an address does not have it. */
function ignoreAnswers(error: unknown): undefined {
  if (isToolError(error) && rpcFaultOf(error) !== undefined) return undefined
  throw error
}

function toPrompt(
  item: JsonRecord,
  { of, isOwnName }: { of: string; isOwnName: boolean },
): PromptListing | undefined {
  const { name, title, description, arguments: given } = item
  if (typeof name !== 'string') return undefined
  return {
    name: isOwnName ? name : `mcp:${of}:${name}`,
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description }),
    arguments: (Array.isArray(given) ? given : []) as unknown as PromptListing['arguments'],
    server: of,
  }
}

function toListing<T extends ResourceListing | ResourceTemplate>(
  item: JsonRecord,
  server: string,
): T {
  const { uri, uriTemplate, name, title, description, mimeType, size } = item
  return {
    ...(typeof uri === 'string' ? { uri } : { uriTemplate }),
    name: typeof name === 'string' ? name : String(uri ?? uriTemplate),
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description }),
    ...(typeof mimeType === 'string' && { mimeType }),
    ...(typeof size === 'number' && { size }),
    server,
  } as unknown as T
}
