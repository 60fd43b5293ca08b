import { cacheByIdentity } from '../kernel/identity-cache.ts'
import { decide } from '../policy/decide.ts'
import type { PolicyTool } from '../policy/scope.ts'
import type { ResolvedTool } from './find-tool.ts'

/**
 * A tool that asks before it changes something doesn't ask for an input that only reads. Everything
 * else that asks, such as a rule of the agent, still does.
 */
export function askForInput(found: ResolvedTool, input: unknown): ResolvedTool {
  const { entry, scope, decision } = found
  const { asksEachTime } = entry.tool
  if (decision.verdict !== 'ask' || asksEachTime === undefined || asksEachTime(input)) return found
  return { ...found, decision: decide(withoutOwnApproval(entry), scope) }
}

const withoutOwnApproval = cacheByIdentity((entry: PolicyTool): PolicyTool => {
  const { contract, pack, packOptIn, quarantine, isDown } = entry
  return {
    contract: { ...contract, approval: 'auto' },
    packOptIn,
    ...(pack !== undefined && { pack }),
    ...(quarantine !== undefined && { quarantine }),
    ...(isDown !== undefined && { isDown }),
  }
})
