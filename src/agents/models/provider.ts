import type { LanguageModel, ToolSet } from 'ai'
import type { z } from 'zod'
import type { JsonValue } from '../../core/kernel/json.ts'
import type { ProviderApi } from '../../core/models/provider-apis.ts'
import type { OfferedTool } from '../../core/offer/tool-offer.ts'

export type Model = Exclude<LanguageModel, string>

/** Options of a provider, as the AI SDK names them. */
export type ModelOptions = Readonly<Record<string, JsonValue>>

/** Values of a provider's keys, by their names. */
export type ProviderKeys = Readonly<Record<string, string>>

/** Token counts in the SDK's words. */
export interface SdkUsage {
  inputTokens?: number | undefined
  outputTokens?: number | undefined
  inputTokenDetails?: {
    cacheReadTokens?: number | undefined
    cacheWriteTokens?: number | undefined
  }
}

/** Everything Toolcrib knows about a model provider. One file holds it; `providers.ts` lists them. */
export interface Provider extends ProviderApi {
  /** The first word of its models' names. */
  readonly id: string
  /** The rest of a model's name after the id. `<name>` is one of several configured servers. */
  readonly modelPath: '' | '/<model>' | '/<name>/<model>'
  /** Its part of `models` in the configuration: the settings, or the settings of each server. */
  readonly section?: { key: string; description: string; settings: z.ZodType }
  /** Settings that name a key, and where the first of them is looked up when none is configured. */
  readonly keys: { names: readonly string[]; defaults: readonly string[] }
  /** Loads the provider's SDK: all of them together would take half of a server's start. */
  open(connection: ProviderConnection): Promise<(model: string) => Model>
  /**
   * Files that messages may hold. The SDK throws for any other, and again for every later request of
   * that conversation.
   */
  readonly messageMedia: 'all' | readonly string[]
  /** Sent with every request, unless the configuration overrides it. */
  readonly options?: ModelOptions
  /** Tools that the provider runs itself. */
  readonly tools?: ProviderTools
  /** The finish reason of an answer that continues once the provider gets it back. */
  readonly pauseReason?: string
  /** With `toolChoice: 'none'` the SDK would drop the tools, and with them every earlier result. */
  readonly dropsForbiddenTools?: boolean
  /** Reads the input tokens that some providers report before the answer ends. */
  readEarlyUsage?(rawChunk: Readonly<Record<string, unknown>>): SdkUsage | undefined
  /** Adds facts about a tool for models of this provider only. */
  dressTool?(compiled: ToolSet[string], tool: OfferedTool): ToolSet[string]
}

export interface ProviderTools {
  /** The SDK's factories by name. */
  load(): Promise<object>
  /** By name of the tool: the argument without which the SDK fails in the middle of a chat. */
  requiredArgs: Readonly<Record<string, string>>
}

/** The options a provider is opened with. */
export interface ProviderConnection<Settings = unknown> {
  settings: Settings
  /** The configured server, for providers that have several; otherwise the provider's id. */
  name: string
  keys: ProviderKeys
  request: RequestSettings
}

/** How the provider is reached, as the SDKs take it. */
interface RequestSettings {
  baseURL?: string
  headers: Record<string, string>
  fetch: typeof globalThis.fetch
}

type ProviderFacts<Settings extends z.ZodType> = Omit<Provider, 'section' | 'open'> & {
  section: { key: string; description: string; settings: Settings }
  open(connection: ProviderConnection<z.output<Settings>>): Promise<(model: string) => Model>
}

/** A provider whose `open` gets its settings typed by their schema. */
export function defineProvider<Settings extends z.ZodType>(
  facts: ProviderFacts<Settings>,
): Provider {
  return {
    ...facts,
    // The configuration was parsed with this schema.
    open: (connection) => facts.open(connection as ProviderConnection<z.output<Settings>>),
  }
}
