import type { PolicyTool, Scope } from '../scope.ts'
import { hide, pass } from './verdicts.ts'

/** Harness tools exist only in their runtimes, and never for sub-agents. */
export function runtimeLayer({ contract }: PolicyTool, scope: Scope) {
  if (contract.runtimes.length === 0) return pass('runtime', 'the tool exists in every runtime')
  if (scope.runtime === 'subagent') {
    return hide('runtime', 'the tool is a harness tool, and sub-agents get none of them')
  }
  if (contract.runtimes.includes(scope.runtime)) {
    return pass('runtime', `the tool exists in runtime ${scope.runtime}`)
  }
  const where = contract.runtimes.join(', ')
  return hide('runtime', `the tool exists only in runtime ${where}, not in ${scope.runtime}`)
}
