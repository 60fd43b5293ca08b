import { createHash } from 'node:crypto'
import type { LanguageModel } from 'ai'
import { ToolError } from '../../core/errors.ts'
import { createRedactor } from '../../core/secrets/redact.ts'
import { costOf, findByModel, type ModelUsage } from './cost-of.ts'
import { createDemoModel } from './demo/demo-model.ts'
import { type ProviderKeys, type RealModel, referencesOf } from './key-references.ts'
import { type ModelName, parseModelName } from './model-name.ts'
import type { ModelsConfig } from './models-config.ts'
import { usualOptions, withOptions } from './with-options.ts'
import { openProvider, type Provider } from './providers.ts'

/** A model that can be talked to, and what is known of it. */
export interface ReadyModel {
  model: Exclude<LanguageModel, string>
  /** As the agent names it: `anthropic/claude-…`. */
  name: string
  /** `demo`, `anthropic`, `openai`, …; of a compatible server, its name. */
  provider: string
  /** How many tokens it can read. */
  windowTokens: number
  /** What an answer cost; undefined where no price is set. */
  costOf(usage: ModelUsage): number | undefined
  /** A text of the provider without the keys it was given: some say them back. */
  hideKeys(text: string): string
  /** Passes on what its provider warns of: once, though it does so with every answer. */
  warn(message: string): void
}

/** Whose secrets open a model. */
export interface ModelScope {
  tenant: string
  agent?: string
}

export interface Models {
  /** Throws `secret_missing` or `invalid_config`, with the way out. */
  open(name: string, scope: ModelScope): Promise<ReadyModel>
}

export interface ModelsOptions {
  config: ModelsConfig
  readSecrets(
    scope: { tenant: string; agent: string | undefined },
    names: readonly string[],
  ): Promise<ReadonlyMap<string, string>>
  env: Readonly<Record<string, string | undefined>>
  /** The tenant whose owner runs this machine: only it may use keys of the environment unasked. */
  homeTenant: string
  onWarning?(message: string): void
}

const usualWindow = 128_000
/** Providers hold connections and little else; a new key makes a new one. */
const providersAtMost = 200
/** Beyond these nothing is told: whoever asks hundreds of models has been told enough. */
const warningsAtMost = 500

/** Models by name, each with the keys of whoever uses it. */
export function createModels(options: ModelsOptions): Models {
  const { config } = options
  const providers = new Map<string, Promise<Provider>>()
  const demo = createDemoModel()
  const warned = new Set<string>()

  function warn(message: string): void {
    if (warned.has(message) || warned.size >= warningsAtMost) return
    warned.add(message)
    options.onWarning?.(message)
  }

  function providerFor(name: RealModel, keys: ProviderKeys) {
    const server = name.kind === 'openai-compatible' ? name.server : ''
    const key = createHash('sha256')
      .update(JSON.stringify([name.kind, server, keys]))
      .digest('hex')
    const known = providers.get(key) ?? openProvider(name, config, keys)
    providers.set(key, known)
    if (providers.size > providersAtMost) providers.delete(providers.keys().next().value ?? '')
    return known
  }
  return {
    async open(text, scope) {
      const name = parseModelName(text)
      const facts = {
        name: text,
        windowTokens: findByModel(config.windows, text) ?? usualWindow,
        warn: (message: string) => warn(`${text}: ${message}`),
        costOf: (usage: ModelUsage) => costOf(usage, findByModel(config.prices, text)),
      }
      if (name.kind === 'demo') {
        return { ...facts, model: demo, provider: 'demo', hideKeys: (said) => said }
      }
      const keys = await readKeys(name, scope, options)
      const provider = name.kind === 'openai-compatible' ? name.server : name.kind
      const open = await providerFor(name, keys)
      const { redactText: hideKeys } = createRedactor({ ...keys })
      const asked = { ...usualOptions[name.kind], ...findByModel(config.options, text) }
      const model = await withOptions(open(name.model), provider, asked)
      return { ...facts, model, provider, hideKeys }
    },
  }
}

/** Values of what the provider is configured with. A tenant's secret comes first where nothing is said. */
async function readKeys(
  name: RealModel,
  { tenant, agent }: ModelScope,
  { config, readSecrets, env, homeTenant }: ModelsOptions,
): Promise<ProviderKeys> {
  const wanted = referencesOf(name, config)
  const names = wanted.flatMap(({ from }) => from.flatMap((one) => secretOf(one) ?? []))
  const secrets = names.length === 0 ? undefined : await readSecrets({ tenant, agent }, names)
  const keys: ProviderKeys = {}
  for (const { key, from, isRequired, isGiven } of wanted) {
    const usable = from.filter((one) => isGiven || !one.startsWith('env:') || tenant === homeTenant)
    const value = usable
      .map((one) => {
        const secret = secretOf(one)
        return secret === undefined ? env[one.slice('env:'.length)] : secrets?.get(secret)
      })
      .find((found) => found !== undefined && found !== '')
    if (value !== undefined) keys[key] = value
    else if (isRequired) throw keyMissing(name, usable)
  }
  return keys
}

function secretOf(reference: string): string | undefined {
  return reference.startsWith('secret:') ? reference.slice('secret:'.length) : undefined
}

function keyMissing({ kind }: ModelName, from: readonly string[]): ToolError {
  const [first = ''] = from
  const secret = secretOf(first)
  const fix =
    secret === undefined
      ? `Set the environment variable ${first.slice('env:'.length)} and start again.`
      : `Run: toolcrib secrets set ${secret}`
  return new ToolError('secret_missing', `There is no key for models of ${kind}`, { fix })
}
