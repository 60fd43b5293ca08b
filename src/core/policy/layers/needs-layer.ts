import { findMissingSecrets, type MissingSecret } from '../missing-secrets.ts'
import { rolesHolding } from '../roles.ts'
import { toSecretChange } from '../changes.ts'
import { settingsFor } from '../settings-for.ts'
import type { LayerVerdict, PolicyTool, Scope } from '../scope.ts'
import { hide, pass } from './verdicts.ts'

declare module '../scope.ts' {
  interface Scope {
    /** Names of the secrets that are set for this tenant and agent. */
    secrets: ReadonlySet<string>
    /** Names of the environment variables that are set and not empty. */
    env: ReadonlySet<string>
    /** Values of the secrets that decide whether others are required. */
    choices?: ReadonlyMap<string, string>
  }
}

/** Required secrets and environment variables are set. The scope's sets contain no empty values. */
export function needsLayer(tool: PolicyTool, scope: Scope): LayerVerdict {
  const { contract } = tool
  if (contract.secrets.length === 0 && contract.env.length === 0) return satisfied
  const secrets = missingSecrets(tool, scope)
  const variables = contract.env.filter((name) => !scope.env.has(name))
  if (secrets.length + variables.length === 0) return satisfied
  const missing = [
    ...secrets.map(({ key }) => `secret ${key}`),
    ...variables.map((name) => `environment variable ${name}`),
  ]
  const because = secrets.flatMap((secret) => secret.because ?? [])
  const reason = [
    `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not set`,
    ...new Set(because),
  ].join(', and ')
  const [secret] = secrets
  return hide('needs', reason, {
    setBy: `the definition of ${contract.name}`,
    fix: toFix(
      secrets.map(({ key }) => key),
      variables,
    ),
    ...(secret !== undefined && { change: toSecretChange(secret.key) }),
  })
}

const noChoices: ReadonlyMap<string, string> = new Map()

/** The secrets without which a tool does not run in this scope. */
export function missingSecrets(tool: PolicyTool, scope: Scope): MissingSecret[] {
  const { secrets, choices = noChoices } = scope
  const { options = {} } = settingsFor(tool, scope)
  return findMissingSecrets(tool.contract, { secrets, choices, options })
}

const satisfied = Object.freeze(pass('needs', 'the tool has everything it needs'))

/** The fix, and who can apply it. */
function toFix(secrets: readonly string[], variables: readonly string[]): string {
  const commands = secrets.map((key) => `toolcrib secrets set ${key}`).join(', ')
  return [
    ...(secrets.length === 0 ? [] : [`${commands} (${whoMaySetSecrets})`]),
    ...(variables.length === 0 ? [] : [`set ${variables.join(', ')} where the server runs`]),
  ].join('; ')
}

const whoMaySetSecrets = `members who hold secrets.write can set it: ${rolesHolding('secrets.write').join(', ')}, or a key with that scope`
