import { ToolError } from '../kernel/errors.ts'
import type { SecretRequirement } from '../kernel/tool.ts'

/** A requirement as an author writes it: a bare key, or a key with details. */
export type SecretSpec = string | (Pick<SecretRequirement, 'key'> & Partial<SecretRequirement>)

const keyPattern = /^[A-Za-z][A-Za-z0-9_.-]{0,99}$/

/** The full requirement. A choice from a list is not redacted unless it is declared `sensitive`. */
export function toSecretRequirement(spec: SecretSpec): SecretRequirement {
  const given = typeof spec === 'string' ? { key: spec } : spec
  const { key, optional = false, choices = [] } = given
  if (typeof key !== 'string' || !keyPattern.test(key)) throw invalidKey(key)
  const type = given.type ?? (choices.length > 0 ? 'select' : 'text')
  if (type === 'select' && choices.length === 0) {
    throw new ToolError('invalid_tool', `The secret ${key} is a select without choices`, {
      fix: "List its choices, or make it type: 'text'.",
    })
  }
  const { label = toLabel(key), sensitive = type === 'text' } = given
  return { key, label, optional, ...conditionOf(given), type, choices: [...choices], sensitive }
}

function conditionOf({ requiredWhen }: Partial<SecretRequirement>) {
  return requiredWhen === undefined ? {} : { requiredWhen }
}

/**
 * A tool's requirements by state: `missing` ones keep it from running, `unset` ones are optional.
 */
export interface SecretCheck {
  met: readonly SecretRequirement[]
  missing: readonly SecretRequirement[]
  unset: readonly SecretRequirement[]
}

/**
 * Checks which requirements are met. Takes the names of the secrets that are set, or their values;
 * an empty value is missing.
 */
export function checkSecrets(
  requirements: readonly SecretRequirement[],
  available: ReadonlySet<string> | ReadonlyMap<string, string>,
): SecretCheck {
  const isSet = (key: string) =>
    'get' in available ? (available.get(key) ?? '') !== '' : available.has(key)
  const absent = requirements.filter(({ key }) => !isSet(key))
  return {
    met: requirements.filter(({ key }) => isSet(key)),
    missing: absent.filter(({ optional }) => !optional),
    unset: absent.filter(({ optional }) => optional),
  }
}

/** The contents of `ctx.secrets`: the declared keys that are set, nothing else. */
export function pickSecrets(
  requirements: readonly SecretRequirement[],
  values: ReadonlyMap<string, string>,
): Record<string, string> {
  const { met } = checkSecrets(requirements, values)
  return Object.fromEntries(met.map(({ key }) => [key, values.get(key) ?? '']))
}

/** The values that must be redacted: those declared sensitive. */
export function pickSensitive(
  requirements: readonly SecretRequirement[],
  secrets: Readonly<Record<string, string>>,
): Record<string, string> {
  const open = new Set(requirements.filter((one) => !one.sensitive).map(({ key }) => key))
  return Object.fromEntries(Object.entries(secrets).filter(([key]) => !open.has(key)))
}

/** The error of a tool whose secrets are missing, naming all of them. */
export function secretMissing(
  tool: string,
  missing: readonly Pick<SecretRequirement, 'key'>[],
): ToolError {
  const keys = missing.map(({ key }) => key)
  return new ToolError('secret_missing', `${tool} needs ${keys.join(', ')}, which is not set`, {
    fix: `Set it with: toolcrib secrets set ${keys[0] ?? '<name>'}`,
    details: { keys },
  })
}

/** `stripe_key` → `Stripe key`. */
function toLabel(key: string): string {
  const words = key.replaceAll(/[_.-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function invalidKey(key: unknown): ToolError {
  return new ToolError('invalid_tool', `${JSON.stringify(key)} is not a valid name of a secret`, {
    fix: 'Start with a letter; letters, digits, dots, dashes and underscores may follow, 100 characters at most.',
  })
}
