import type { ResourceContents } from '../../core/kernel/content.ts'
import { isToolError, ToolError } from '../../core/kernel/errors.ts'
import { isRecord } from '../../core/kernel/json/json-type.ts'
import type { PromptMessage, LibrarySource } from '../../core/library/library-api.ts'
import type { Server } from '../servers/server.ts'
import { rpcCodes, rpcFaultOf } from '../wire/messages.ts'
import { askServer } from './ask-server.ts'
import { createResourceWatch } from './resource-watch.ts'
import { createLibraryLists } from './library-lists.ts'
import { type LibraryOptions, LibraryPlaces } from './library-places.ts'
import { toPrompt, toResource, toTemplate } from './to-listing.ts'

type Watcher = Parameters<NonNullable<LibrarySource['watch']>>[0]

/** Prompts and resources of other servers, for callers who see at least one of the server's tools. */
export function createGatewayLibrary(options: LibraryOptions) {
  const lists = createLibraryLists(options.now)
  const places = new LibraryPlaces(options, lists)
  const watchers = new Set<Watcher>()
  const library: LibrarySource = {
    ...listingOf(places),
    ...readingOf(places),
    watch(listener) {
      const entry: Watcher = (change) => listener(change)
      watchers.add(entry)
      return () => void watchers.delete(entry)
    },
  }
  return {
    library,
    /** From here on changes at this server are reported. Returns a function that stops that. */
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

function listingOf(
  places: LibraryPlaces,
): Pick<LibrarySource, 'listPrompts' | 'listResources' | 'listTemplates'> {
  return {
    listPrompts: (caller, server) =>
      places.gather(caller, { kind: 'prompts', server }, (item, of) =>
        toPrompt(item, { server: of, isOwnName: server !== undefined }),
      ),
    listResources: (caller, server) =>
      places.gather(caller, { kind: 'resources', server }, toResource),
    listTemplates: (caller, server) =>
      places.gather(caller, { kind: 'templates', server }, toTemplate),
  }
}

function readingOf(
  places: LibraryPlaces,
): Pick<LibrarySource, 'getPrompt' | 'readResource' | 'complete'> {
  const resources = createResourceWatch()
  return {
    async getPrompt(caller, prompt, client) {
      const place = await places.ofPrompt(caller, prompt.name, prompt.server)
      if (place === undefined) return undefined
      const params = { name: place.name, arguments: { ...prompt.arguments } }
      const request = { method: 'prompts/get', params }
      const result = await askServer(place.found, request, { caller, client }).catch(
        async (error: unknown) => {
          if (!isInvalid(error)) throw error
          if (await places.hasPrompt(place, caller)) throw wrongArguments(error)
          return undefined
        },
      )
      if (!Array.isArray(result?.['messages'])) return undefined
      const { description, messages } = result
      return {
        ...(typeof description === 'string' && { description }),
        messages: messages as unknown as PromptMessage[],
      }
    },
    async readResource(caller, { uri, server }) {
      for (const one of await places.ofAddress(caller, uri, server)) {
        const request = { method: 'resources/read', params: { uri } }
        const result = await askServer(one, request, { caller }).catch(ignoreAnswers)
        if (!Array.isArray(result?.['contents'])) continue
        void resources.follow(one, uri, caller.principal)
        return result['contents'] as unknown as ResourceContents[]
      }
      return undefined
    },
    async complete(caller, { target, argument, known, server }) {
      const place = await places.ofTarget(caller, target, server)
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
  }
}

function isInvalid(error: unknown): error is ToolError {
  return isToolError(error) && rpcFaultOf(error)?.code === rpcCodes.invalidParams
}

function wrongArguments({ message }: ToolError): ToolError {
  return new ToolError('invalid_input', message, {
    fix: 'List the prompts to see what each of them takes.',
  })
}

/** A server that refuses an address does not have it. */
function ignoreAnswers(error: unknown): undefined {
  if (isToolError(error) && rpcFaultOf(error) !== undefined) return undefined
  throw error
}
