import type { Caller } from '../kernel/call.ts'
import type { CallerClient } from '../kernel/context/caller-client.ts'
import type { ContentBlock, ResourceContents } from '../kernel/content.ts'
import type { Page } from '../kernel/page.ts'
import type { PromptArgument } from '../kernel/context/prompt-argument.ts'

/** A prompt in a list: a message that somebody prepared for others to start with. */
export interface PromptListing {
  name: string
  title?: string
  description?: string
  arguments: readonly PromptArgument[]
  /** The MCP server it comes from, where it does. */
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

/** Something to read, under an address. */
export interface ResourceListing {
  uri: string
  name: string
  title?: string
  description?: string
  mimeType?: string
  size?: number
  server?: string
}

/** Addresses with gaps to fill, as RFC 6570 writes them. */
export interface ResourceTemplate extends Omit<ResourceListing, 'uri' | 'size'> {
  uriTemplate: string
}

/** What an argument or a gap is completed for. */
export type CompletionTarget =
  | { type: 'prompt'; name: string }
  | { type: 'resource'; uriTemplate: string }

export interface CompletionRequest {
  target: CompletionTarget
  argument: { name: string; value: string }
  /** What was filled in before. */
  known?: Readonly<Record<string, string>>
}

export interface CompletionValues {
  values: readonly string[]
  total?: number
  hasMore?: boolean
}

export interface LibraryQuery {
  /** Of this MCP server alone, under its own names. */
  server?: string
  after?: string
  limit?: number
}

/**
 * What lies beside the tools: prompts and resources, from code, skills, artifacts and other MCP
 * servers. Every source answers for callers it has checked; unknown and hidden are both not_found.
 */
export interface LibrarySource {
  /** Names it answers for are unique in it; the library asks its sources in order. */
  listPrompts?(caller: Caller, server?: string): Promise<readonly PromptListing[]>
  /** Undefined where it has none of that name. */
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
   * Told whenever what stands under this one address may have changed, where `watch` does not tell of
   * it; undefined where it has no such address for this caller.
   */
  watchResource?(
    caller: Caller,
    resource: { uri: string; server?: string },
    listener: () => void,
  ): Promise<(() => void) | undefined>
  /** Told when a list changed (undefined) or what stands under an address. */
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
  /** Told when what stands under an address of this tenant may have changed. Returns the way to stop. */
  watchResources(tenant: string, listener: (uri: string) => void): () => void
  /**
   * The same for one address that `watchResources` does not tell of: what changes too often for that
   * (calls). Undefined where it is none of those, or nothing that the caller may read.
   */
  watchResource(
    caller: Caller,
    resource: { uri: string; server?: string },
    listener: () => void,
  ): Promise<(() => void) | undefined>
}
