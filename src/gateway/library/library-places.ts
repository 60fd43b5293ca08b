import type { Caller } from '../../core/kernel/call.ts'
import type { CompletionTarget } from '../../core/library/library-api.ts'
import type { Server } from '../servers/server.ts'
import type { JsonRecord } from '../wire/messages.ts'
import { fitsTemplate } from './fits-template.ts'
import type { LibraryKind, LibraryLists } from './library-lists.ts'

export interface LibraryOptions {
  /** Those of the caller's tenant and everybody's; of one name, one. */
  serversOf(tenant: string): readonly Server[]
  seesTools(caller: Caller, server: string): Promise<boolean>
  now(): number
}

/** Finds the server that has an item, among those the caller may know of. */
export class LibraryPlaces {
  readonly #options: LibraryOptions
  readonly #lists: LibraryLists

  constructor(options: LibraryOptions, lists: LibraryLists) {
    this.#options = options
    this.#lists = lists
  }

  /** The servers of which the caller sees a tool, or would, where they have none. */
  async visible(caller: Caller, name: string | undefined): Promise<Server[]> {
    const all = this.#options
      .serversOf(caller.tenant)
      .filter(({ facts }) => facts.spec.enabled)
      .filter(({ facts }) => name === undefined || facts.key.server === name)
    const seen = await Promise.all(
      all.map(({ facts }) => this.#options.seesTools(caller, facts.key.server)),
    )
    return all.filter((_server, index) => seen[index])
  }

  async gather<T>(
    caller: Caller,
    { kind, server: name }: { kind: LibraryKind; server: string | undefined },
    toListing: (item: JsonRecord, server: string) => T | undefined,
  ): Promise<T[]> {
    const servers = await this.visible(caller, name)
    const found = await Promise.all(
      servers.map(async (server) => {
        const items = await this.#lists.read(server, kind, caller.principal)
        return items.flatMap((item) => toListing(item, server.facts.key.server) ?? [])
      }),
    )
    return found.flat()
  }

  /** The server that a full name, or a name with its server beside it, belongs to. */
  async ofPrompt(
    caller: Caller,
    name: string,
    server: string | undefined,
  ): Promise<{ found: Server; name: string } | undefined> {
    const [, prefix, rest] = server === undefined ? (/^mcp:([^:]+):(.*)$/s.exec(name) ?? []) : []
    const [found] = await this.visible(caller, server ?? prefix ?? '')
    return found && { found, name: rest ?? name }
  }

  async hasPrompt(
    { found, name }: { found: Server; name: string },
    { principal }: Caller,
  ): Promise<boolean> {
    const prompts = await this.#lists.read(found, 'prompts', principal)
    return prompts.some((item) => item['name'] === name)
  }

  /** Where this address may be read. */
  async ofAddress(caller: Caller, uri: string, server: string | undefined): Promise<Server[]> {
    const servers = await this.visible(caller, server)
    if (server !== undefined) return servers
    const fits = await Promise.all(servers.map((one) => this.#mayHave(one, uri, caller)))
    return servers.filter((_one, index) => fits[index])
  }

  async #mayHave(server: Server, uri: string, { principal }: Caller): Promise<boolean> {
    const known = await this.#lists.read(server, 'resources', principal)
    if (known.some((item) => item['uri'] === uri)) return true
    const templates = await this.#lists.read(server, 'templates', principal)
    return templates.some(
      ({ uriTemplate }) => typeof uriTemplate === 'string' && fitsTemplate(uriTemplate, uri),
    )
  }

  /** Where the next page of a list comes from. */
  async ofTarget(
    caller: Caller,
    target: CompletionTarget,
    server: string | undefined,
  ): Promise<{ found: Server; ref: JsonRecord } | undefined> {
    if (target.type === 'prompt') {
      const place = await this.ofPrompt(caller, target.name, server)
      return place && { found: place.found, ref: { type: 'ref/prompt', name: place.name } }
    }
    const { uriTemplate } = target
    for (const found of await this.visible(caller, server)) {
      const templates = await this.#lists.read(found, 'templates', caller.principal)
      if (!templates.some((item) => item['uriTemplate'] === uriTemplate)) continue
      return { found, ref: { type: 'ref/resource', uri: uriTemplate } }
    }
    return undefined
  }
}
