import type { JsonSchema, JsonValue } from '../kernel/json.ts'
import type { SecretRequirement, ToolContract } from '../kernel/tool.ts'
import { isRecord, ownValue } from '../kernel/json/json-type.ts'

/** The settings that decide which secrets a tool needs right now. */
export interface SecretSetting {
  /** Names of the secrets that are set. */
  secrets: ReadonlySet<string>
  /** Values of the secrets that conditions name. */
  choices: ReadonlyMap<string, string>
  /** The agent's options for the tool. */
  options: Readonly<Record<string, JsonValue>>
}

/** A secret that keeps a tool from running; `because` is the option or choice that requires it. */
export interface MissingSecret {
  key: string
  because?: string
}

/** The required secrets of a tool that are not set. */
export function findMissingSecrets(
  { secrets, optionsSchema }: Pick<ToolContract, 'secrets' | 'optionsSchema'>,
  setting: SecretSetting,
): MissingSecret[] {
  return secrets.flatMap((secret): MissingSecret[] => {
    if (setting.secrets.has(secret.key)) return []
    if (!secret.optional) return [{ key: secret.key }]
    const because = whyRequired(secret, optionsSchema, setting)
    return because === undefined ? [] : [{ key: secret.key, because }]
  })
}

/** The names of the secrets whose values decide whether these tools need another. */
export function findDecidingSecrets(
  tools: readonly { contract: Pick<ToolContract, 'secrets'> }[],
): ReadonlySet<string> {
  const conditions = tools.flatMap(({ contract }) => contract.secrets)
  return new Set(conditions.flatMap(({ requiredWhen }) => requiredWhen?.secret ?? []))
}

function whyRequired(
  { requiredWhen }: SecretRequirement,
  optionsSchema: JsonSchema | undefined,
  { choices, options }: SecretSetting,
): string | undefined {
  if (requiredWhen === undefined) return undefined
  const { option, secret, is } = requiredWhen
  const given = option === undefined ? undefined : optionOf(option, options, optionsSchema)
  if (given !== undefined) return given === is ? `the agent's option ${option} is ${is}` : undefined
  return secret !== undefined && choices.get(secret) === is ? `${secret} is ${is}` : undefined
}

/** Undefined for one that is not set, or null. */
function optionOf(
  name: string,
  options: SecretSetting['options'],
  schema: JsonSchema | undefined,
): JsonValue | undefined {
  const fields = schema?.['properties']
  const field = isRecord(fields) ? ownValue(fields, name) : undefined
  const usual = isRecord(field) ? (field['default'] as JsonValue | undefined) : undefined
  return ownValue(options, name) ?? usual ?? undefined
}
