import type { LayerVerdict, PolicyTool } from '../scope.ts'
import { hide, pass } from './verdicts.ts'

/** Not quarantined, and its server is not down. */
export function healthLayer({ quarantine, isDown }: PolicyTool): LayerVerdict {
  if (quarantine !== undefined) {
    return hide('health', `quarantined: ${quarantine}`, {
      fix: 'review the tool: accept its change, or fix its definition',
    })
  }
  if (isDown !== undefined) return hide('health', `the tool's server is down: ${isDown}`)
  return pass('health', 'the tool is healthy')
}
