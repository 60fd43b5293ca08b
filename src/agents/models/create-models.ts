import { createHash } from 'node:crypto'
import { createRedactor } from '../../core/secrets/redact.ts'
import { costOf, findByModel, type ModelUsage } from './cost-of.ts'
import { observeFetch } from './observed-fetch.ts'
import { type ModelName, parseModelName } from './model-name.ts'
import { type ProviderSettings, settingsOf } from './models-config.ts'
import type { Model, Provider, ProviderKeys } from './provider.ts'
import { providers as allProviders } from './providers.ts'
import { type KeyOptions, type ModelScope, readKeys } from './read-keys.ts'
import { withOptions } from './with-options.ts'

/** A model that can be asked, and what is known about it. */
export interface ReadyModel {
  model: Model
  /** As the agent names it: `anthropic/claude-…`. */
  name: string
  provider: Provider
  /** How many tokens it can read. */
  windowTokens: number
  /** The cost of an answer; undefined where no price is set. */
  costOf(usage: ModelUsage): number | undefined
  /** Removes the provider's keys from its texts: some providers repeat them. */
  hideKeys(text: string): string
  /** Passes on a warning of the provider once, although it comes with every answer. */
  warn(message: string): void
}

export interface Models {
  /** Throws `secret_missing` or `invalid_config`, with a fix. */
  open(name: string, scope: ModelScope): Promise<ReadyModel>
}

export interface ModelsOptions extends KeyOptions {
  /** All that are built in, unless given. */
  providers?: readonly Provider[]
  /** Reaches the providers, and servers that the configuration names. */
  fetch: typeof fetch
  onWarning?(message: string): void
}

const usualWindow = 128_000
/** Open providers hold little but connections; a new key opens another one. */
const providersAtMost = 200
/** Bounds the memory of what was warned about; later warnings are dropped. */
const warningsAtMost = 500

/** Opens models by name, each with the keys of its user. */
export function createModels(options: ModelsOptions): Models {
  const { config } = options
  const fetch = observeFetch(options.fetch)
  const open = new Map<string, ReturnType<Provider['open']>>()
  const warned = new Set<string>()

  function warn(message: string): void {
    if (warned.has(message) || warned.size >= warningsAtMost) return
    warned.add(message)
    options.onWarning?.(message)
  }

  function openProvider(name: ModelName, keys: ProviderKeys): ReturnType<Provider['open']> {
    const { provider, server = provider.id } = name
    const key = createHash('sha256')
      .update(JSON.stringify([provider.id, server, keys]))
      .digest('hex')
    const settings = settingsOf(name, config)
    const request = { ...toRequest(settings), fetch }
    const known = open.get(key) ?? provider.open({ name: server, settings, keys, request })
    open.set(key, known)
    if (open.size > providersAtMost) open.delete(open.keys().next().value ?? '')
    return known
  }
  return {
    async open(text, scope) {
      const name = parseModelName(text, options.providers ?? allProviders)
      const { provider, server = provider.id } = name
      const keys = await readKeys(name, scope, options)
      const toModel = await openProvider(name, keys)
      const asked = { ...provider.options, ...findByModel(config.options, text) }
      return {
        name: text,
        provider,
        model: await withOptions(toModel(name.model), server, asked),
        windowTokens: findByModel(config.windows, text) ?? usualWindow,
        costOf: (usage) => costOf(usage, findByModel(config.prices, text)),
        hideKeys: createRedactor({ ...keys }).redactText,
        warn: (message) => warn(`${text}: ${message}`),
      }
    },
  }
}

function toRequest({ baseUrl, headers = {} }: ProviderSettings) {
  return { ...(baseUrl !== undefined && { baseURL: baseUrl }), headers }
}
