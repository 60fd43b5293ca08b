import type { Caller } from '../../core/kernel/call.ts'
import type { CallerClient } from '../../core/kernel/context/caller-client.ts'
import type { ResourceContents } from '../../core/kernel/content.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import type { Prompt, RenderedPrompt, LibraryContext } from '../../core/library/define-prompt.ts'
import type { ReadResource, Resource } from '../../core/library/define-resource.ts'
import type {
  CompletionTarget,
  CompletionValues,
  PromptText,
  ResourceListing,
  ResourceTemplate,
  LibrarySource,
} from '../../core/library/library-api.ts'
import { checkArguments } from '../../core/library/check-arguments.ts'

/** Contributions of one file besides tools. */
export interface LibraryItems {
  prompts: readonly Prompt[]
  resources: readonly Resource[]
}

/** Prompts and resources that are defined in code. */
export interface CodeLibrary extends LibrarySource {
  /**
   * Replaces the earlier contributions of this file. Throws `name_taken` without changing anything.
   */
  set(file: string, items: LibraryItems): void
  remove(file: string): void
}

type Change = { tenant?: string; uri?: string }

/** An empty library. */
export function createCodeLibrary(): CodeLibrary {
  const files = new Map<string, LibraryItems & { stop(): void }>()
  const listeners = new Set<(change: Change) => void>()
  const tell = (change: Change) => {
    for (const listener of listeners) listener(change)
  }
  const prompts = () => [...files.values()].flatMap((items) => items.prompts)
  const resources = () => [...files.values()].flatMap((items) => items.resources)
  /** The scope of one server contains nothing of ours. */
  const isOurs = (server: string | undefined) => server === undefined
  return {
    set(file, items) {
      const others = [...files].filter(([other]) => other !== file).map(([, other]) => other)
      assertFree(items, others)
      files.get(file)?.stop()
      const isEmpty = items.prompts.length === 0 && items.resources.length === 0
      if (isEmpty && !files.has(file)) return
      const stops = items.resources.map(({ watch }) => watch?.((uri) => tell({ uri })))
      files.set(file, { ...items, stop: () => stops.forEach((stop) => stop?.()) })
      tell({})
    },
    remove(file) {
      files.get(file)?.stop()
      if (files.delete(file)) tell({})
    },
    async listPrompts(_caller, server) {
      return isOurs(server) ? prompts().map(({ listing }) => listing) : []
    },
    async getPrompt(caller, { name, server, arguments: given }, client) {
      const prompt = prompts().find(({ listing }) => listing.name === name)
      if (prompt === undefined || !isOurs(server)) return undefined
      checkArguments(prompt.listing, given)
      const rendered = await prompt.render(given, toContext(caller, client))
      return toText(rendered, prompt.listing.description)
    },
    async listResources(_caller, server) {
      const listings = isOurs(server) ? resources().map(({ listing }) => listing) : []
      return listings.filter((listing): listing is ResourceListing => 'uri' in listing)
    },
    async listTemplates(_caller, server) {
      const listings = isOurs(server) ? resources().map(({ listing }) => listing) : []
      return listings.filter((listing): listing is ResourceTemplate => 'uriTemplate' in listing)
    },
    async readResource(caller, { uri, server }) {
      return isOurs(server) ? readFirst(resources(), uri, toContext(caller, undefined)) : undefined
    },
    async complete(caller, { target, argument, known = {}, server }) {
      const all = isOurs(server) ? [...prompts(), ...resources()] : []
      const found = all.find(({ listing }) => isTarget(listing, target))
      if (found === undefined) return undefined
      return toValues(await found.complete?.({ ...argument, known }, toContext(caller, undefined)))
    },
    watch(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

async function readFirst(
  resources: readonly Resource[],
  uri: string,
  context: LibraryContext,
): Promise<readonly ResourceContents[] | undefined> {
  for (const resource of resources) {
    const params = resource.match(uri)
    if (params === undefined) continue
    const read = await resource.read({ uri, params }, context)
    if (read !== undefined) return toContents(read, uri, resource.listing.mimeType)
  }
  return undefined
}

function isTarget(
  listing: Prompt['listing'] | Resource['listing'],
  target: CompletionTarget,
): boolean {
  if (target.type === 'prompt') return 'arguments' in listing && listing.name === target.name
  return !('arguments' in listing) && addressOf(listing) === target.uriTemplate
}

function assertFree(items: LibraryItems, others: readonly LibraryItems[]): void {
  const taken = new Set(others.flatMap(namesOf))
  for (const name of namesOf(items)) {
    if (taken.has(name)) throw new ToolError('name_taken', `There is a ${name} already`)
    taken.add(name)
  }
}

function namesOf({ prompts, resources }: LibraryItems): string[] {
  return [
    ...prompts.map(({ listing }) => `prompt ${listing.name}`),
    ...resources.map(({ listing }) => `resource ${addressOf(listing)}`),
  ]
}

function addressOf(listing: ResourceListing | ResourceTemplate): string {
  return 'uri' in listing ? listing.uri : listing.uriTemplate
}

function toContext(caller: Caller, client: CallerClient | undefined): LibraryContext {
  const { tenant, agent, principal } = caller
  return { tenant, agent, principal, client }
}

function toText(rendered: RenderedPrompt, description: string | undefined): PromptText {
  const said = description === undefined ? {} : { description }
  if (typeof rendered === 'string') {
    return { ...said, messages: [{ role: 'user', content: { type: 'text', text: rendered } }] }
  }
  return 'messages' in rendered ? { ...said, ...rendered } : { ...said, messages: rendered }
}

function toContents(
  read: ReadResource,
  uri: string,
  mimeType: string | undefined,
): readonly ResourceContents[] {
  const type = mimeType === undefined ? {} : { mimeType }
  if (typeof read === 'string') return [{ uri, ...type, text: read }]
  if (read instanceof Uint8Array) {
    return [{ uri, ...type, blob: Buffer.from(read).toString('base64') }]
  }
  return read
}

function toValues(completed: readonly string[] | CompletionValues | undefined): CompletionValues {
  if (completed === undefined) return { values: [] }
  return isList(completed) ? { values: completed } : completed
}

function isList(completed: readonly string[] | CompletionValues): completed is readonly string[] {
  return Array.isArray(completed)
}
