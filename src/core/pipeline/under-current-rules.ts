import { changeTool } from '../define-tool.ts'
import { cachePair } from '../kernel/identity-cache.ts'
import type { RegisteredTool } from '../registry.ts'
import { applyOverride } from '../tool-override.ts'

/** An earlier version opens nothing that the current one, or an override of it, has closed since. */
export function underCurrentRules(
  entry: RegisteredTool,
  current: RegisteredTool | undefined,
): RegisteredTool {
  return current === undefined || current === entry ? entry : restrict(entry, current)
}

const restrict = cachePair((entry: RegisteredTool, current: RegisteredTool): RegisteredTool => {
  const { effect, approval, labels, openWorld, runtimes } = current.contract
  const rules = {
    effect,
    ...(approval === 'always' && { approval }),
    ...(labels !== undefined && { labels }),
  }
  const { tool: stricter } = applyOverride(entry, { ...rules, setBy: 'the current version' })
  const { contract } = stricter
  const tool = changeTool(stricter, {
    permission: current.contract.permission ?? contract.permission,
    openWorld: openWorld || contract.openWorld,
    runtimes: runtimes.length > 0 ? runtimes : contract.runtimes,
  })
  const { quarantine = entry.quarantine } = current
  return {
    ...entry,
    tool,
    contract: tool.contract,
    ...(quarantine !== undefined && { quarantine }),
  }
})
