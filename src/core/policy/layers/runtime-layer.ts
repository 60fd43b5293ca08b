import type { PolicyTool, Scope } from '../scope.ts'
import { hide, pass } from './verdicts.ts'

/**
 * Harness tools exist only in their runtimes, and never for sub-agents; an agent is never its own
 * tool.
 */
export function runtimeLayer({ contract }: PolicyTool, scope: Scope) {
  if (scope.agent !== undefined && contract.name === `agent:${scope.agent.slug}`) {
    return hide('runtime', 'an agent does not call itself', {})
  }
  if (contract.runtimes.length === 0) return pass('runtime', 'the tool exists in every runtime')
  const setBy = `the definition of ${contract.name}`
  if (scope.runtime === 'subagent') {
    const reason = 'the tool is a harness tool, and sub-agents get none of them'
    return hide('runtime', reason, { setBy })
  }
  if (contract.runtimes.includes(scope.runtime)) {
    return pass('runtime', `the tool exists in runtime ${scope.runtime}`)
  }
  const where = contract.runtimes.join(', ')
  const reason = `the tool exists only in runtime ${where}, not in ${scope.runtime}`
  return hide('runtime', reason, { setBy })
}
