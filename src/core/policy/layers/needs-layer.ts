import type { LayerVerdict, PolicyTool, Scope } from '../scope.ts'
import { hide, pass } from './verdicts.ts'

/** Required secrets and environment variables are there. The scope's sets hold no empty values. */
export function needsLayer({ contract }: PolicyTool, scope: Scope): LayerVerdict {
  const missing: string[] = []
  for (const { key, optional } of contract.secrets) {
    if (!optional && !scope.secrets.has(key)) missing.push(`secret ${key}`)
  }
  for (const name of contract.env) {
    if (!scope.env.has(name)) missing.push(`environment variable ${name}`)
  }
  if (missing.length === 0) return pass('needs', 'the tool has everything it needs')
  const reason = `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not set`
  return hide('needs', reason, `set ${missing.join(', ')}`)
}
