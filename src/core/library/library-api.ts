import type { Caller } from '../kernel/call.ts'
import type { CallerClient } from '../kernel/context/caller-client.ts'
import type { ContentBlock, ResourceContents } from '../kernel/content.ts'
import type { Page } from '../kernel/page.ts'
import type { PromptArgument } from '../kernel/context/prompt-argument.ts'

/** A prompt in a list: a prepared message to start with. */
export interface PromptListing {
  name: string
  title?: string
  description?: string
  arguments: readonly PromptArgument[]
  /** The MCP server it comes from, if any. */
  server?: string
}

export interface PromptMessage {
  role: 'user' | 'assistant'
  content: ContentBlock
}

export interface PromptText {
  description?: string
  messages: readonly PromptMessage[]
}

/** A readable resource at an address. */
export interface ResourceListing {
  uri: string
  name: string
  title?: string
  description?: string
  mimeType?: string
  size?: number
  server?: string
}

/** Addresses with variables, in the syntax of RFC 6570. */
export interface ResourceTemplate extends Omit<ResourceListing, 'uri' | 'size'> {
  uriTemplate: string
}

/** The argument or variable to complete. */
export type CompletionTarget =
  | { type: 'prompt'; name: string }
  | { type: 'resource'; uriTemplate: string }

export interface CompletionRequest {
  target: CompletionTarget
  argument: { name: string; value: string }
  /** Values already entered. */
  known?: Readonly<Record<string, string>>
}

export interface CompletionValues {
  values: readonly string[]
  total?: number
  hasMore?: boolean
}

export interface LibraryQuery {
  /** Only from this MCP server, under its own names. */
  server?: string
  after?: string
  limit?: number
}

/**
 * Prompts and resources, from code, skills, artifacts and other MCP servers. Every source answers
 * for callers it has checked; unknown and hidden are both not_found.
 */
export interface LibrarySource {
  /** Names must be unique within a source; the library asks its sources in order. */
  listPrompts?(caller: Caller, server?: string): Promise<readonly PromptListing[]>
  /** Undefined if it has none with that name. */
  getPrompt?(
    caller: Caller,
    prompt: { name: string; server?: string; arguments: Readonly<Record<string, string>> },
    client?: CallerClient,
  ): Promise<PromptText | undefined>
  listResources?(caller: Caller, server?: string): Promise<readonly ResourceListing[]>
  listTemplates?(caller: Caller, server?: string): Promise<readonly ResourceTemplate[]>
  readResource?(
    caller: Caller,
    resource: { uri: string; server?: string },
  ): Promise<readonly ResourceContents[] | undefined>
  complete?(
    caller: Caller,
    request: CompletionRequest & { server?: string },
  ): Promise<CompletionValues | undefined>
  /**
   * Called when the content at this address may have changed, for addresses that `watch` does not
   * cover; undefined if it has no such address for this caller.
   */
  watchResource?(
    caller: Caller,
    resource: { uri: string; server?: string },
    listener: () => void,
  ): Promise<(() => void) | undefined>
  /** Called when a list changed (undefined) or the content at an address. */
  watch?(listener: (change: { tenant?: string; uri?: string }) => void): () => void
}

export interface LibraryApi {
  listPrompts(caller: Caller, query: LibraryQuery): Promise<Page<PromptListing>>
  getPrompt(
    caller: Caller,
    prompt: { name: string; server?: string; arguments: Readonly<Record<string, string>> },
    client?: CallerClient,
  ): Promise<PromptText>
  listResources(caller: Caller, query: LibraryQuery): Promise<Page<ResourceListing>>
  listResourceTemplates(caller: Caller, query: LibraryQuery): Promise<Page<ResourceTemplate>>
  readResource(
    caller: Caller,
    resource: { uri: string; server?: string },
  ): Promise<readonly ResourceContents[]>
  completeArgument(
    caller: Caller,
    request: CompletionRequest & { server?: string },
  ): Promise<CompletionValues>
  /**
   * Called when the content at an address of this tenant may have changed. Returns a function that
   * unsubscribes.
   */
  watchResources(tenant: string, listener: (uri: string) => void): () => void
  /**
   * The same for one address that `watchResources` does not cover because it changes too often
   * (calls). Undefined if it is not such an address, or the caller may not read it.
   */
  watchResource(
    caller: Caller,
    resource: { uri: string; server?: string },
    listener: () => void,
  ): Promise<(() => void) | undefined>
}
