import { toSecretChange } from '../changes.ts'
import type { LayerVerdict, PolicyTool, Scope } from '../scope.ts'
import { hide, pass } from './verdicts.ts'

/** Required secrets and environment variables are there. The scope's sets hold no empty values. */
export function needsLayer({ contract }: PolicyTool, scope: Scope): LayerVerdict {
  if (contract.secrets.length === 0 && contract.env.length === 0) return satisfied
  const secrets = contract.secrets.flatMap(({ key, optional }) =>
    optional || scope.secrets.has(key) ? [] : [key],
  )
  const variables = contract.env.filter((name) => !scope.env.has(name))
  if (secrets.length + variables.length === 0) return satisfied
  const missing = [
    ...secrets.map((key) => `secret ${key}`),
    ...variables.map((name) => `environment variable ${name}`),
  ]
  const reason = `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not set`
  const [secret] = secrets
  return hide('needs', reason, {
    setBy: `the definition of ${contract.name}`,
    fix: `set ${missing.join(', ')}`,
    ...(secret !== undefined && { change: toSecretChange(secret) }),
  })
}

const satisfied = Object.freeze(pass('needs', 'the tool has everything it needs'))
