import { ToolError } from '../../core/kernel/errors.ts'
import type { ModelName } from './model-name.ts'
import { type ModelsConfig, settingsOf } from './models-config.ts'
import type { ProviderKeys } from './provider.ts'

/** The values of a provider's keys: as configured, else from a secret of the tenant or the environment. */
export async function readKeys(
  name: ModelName,
  { tenant, agent }: ModelScope,
  options: KeyOptions,
): Promise<ProviderKeys> {
  const { readSecrets, env, homeTenant } = options
  const wanted = referencesOf(name, options)
  const names = wanted.flatMap(({ from }) => from.flatMap((one) => secretOf(one) ?? []))
  const secrets = names.length === 0 ? undefined : await readSecrets({ tenant, agent }, names)
  const keys: Record<string, string> = {}
  for (const { key, from, isConfigured } of wanted) {
    const usable = from.filter(
      (one) => isConfigured || !one.startsWith(environment) || tenant === homeTenant,
    )
    const value = usable
      .map((one) => {
        const secret = secretOf(one)
        return secret === undefined ? env[one.slice(environment.length)] : secrets?.get(secret)
      })
      .find((found) => found !== undefined && found !== '')
    if (value === undefined) throw keyMissing(name, usable)
    keys[key] = value
  }
  return keys
}

/** The owner of the secrets that open a model. */
export interface ModelScope {
  tenant: string
  agent?: string
}

export interface KeyOptions {
  config: ModelsConfig
  readSecrets(
    scope: { tenant: string; agent: string | undefined },
    names: readonly string[],
  ): Promise<ReadonlyMap<string, string>>
  env: Readonly<Record<string, string | undefined>>
  /** The tenant whose owner runs this machine: only it uses keys of the environment by default. */
  homeTenant: string
}

const environment = 'env:'

/** Where one of a provider's keys is looked up, in order. */
interface KeyReference {
  key: string
  from: readonly string[]
  isConfigured: boolean
}

function referencesOf(name: ModelName, { config }: KeyOptions): KeyReference[] {
  const settings = settingsOf(name, config)
  const { names, defaults } = name.provider.keys
  const configured = names.flatMap((key) => {
    const from = settings[key]
    return typeof from === 'string' ? [{ key, from: [from], isConfigured: true }] : []
  })
  const [first] = names
  if (configured.length > 0 || first === undefined || defaults.length === 0) return configured
  return [{ key: first, from: defaults, isConfigured: false }]
}

function secretOf(reference: string): string | undefined {
  return reference.startsWith('secret:') ? reference.slice('secret:'.length) : undefined
}

function keyMissing({ provider }: ModelName, from: readonly string[]): ToolError {
  const [first = ''] = from
  const secret = secretOf(first)
  const fix =
    secret === undefined
      ? `Set the environment variable ${first.slice(environment.length)} and start again.`
      : `Run: toolcrib secrets set ${secret}`
  return new ToolError('secret_missing', `There is no key for models of ${provider.id}`, { fix })
}
