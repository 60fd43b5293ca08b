import { changeTool } from './define-tool.ts'
import { effectOf } from './flow/labels-of.ts'
import { cachePair } from './kernel/identity-cache.ts'
import { outsideEffects, type ToolLabels } from './kernel/tool-labels.ts'
import { effects, type Tool, type ToolContract } from './kernel/tool.ts'
import type { RegisteredTool } from './registry-draft.ts'
import { findFormIssues } from './schema/form-issues.ts'
import { toToolVersion } from './tool-version.ts'

/**
 * A tenant's changes to a tool of others. Wording may be replaced; everything that protects people
 * can only become stricter, so that an override never opens anything.
 */
export interface ToolOverride extends Partial<
  Pick<
    ToolContract,
    'title' | 'description' | 'icon' | 'examples' | 'form' | 'view' | 'cost' | 'labels'
  >
> {
  approval?: 'always'
  /** Raises it; a lower one changes nothing. */
  effect?: ToolContract['effect']
  /** Shortens it; a longer one changes nothing. */
  timeoutMs?: number
  /** For tools that need none. */
  permission?: string
  /** False: nobody in the tenant can call it. */
  isEnabled?: boolean
  /** The author of the override, for the reason. */
  setBy: string
}

/** The tool as the tenant has it. The same object for the same two. */
export const applyOverride = cachePair(
  (entry: RegisteredTool, override: ToolOverride): RegisteredTool => {
    const tool = changeContract(entry.tool, override)
    const off = override.isEnabled === false ? `It is disabled by ${override.setBy}` : undefined
    const quarantine = entry.quarantine ?? off
    const { pack, packOptIn, groups, probes, isDown, file } = entry
    let version: string | undefined
    return Object.freeze({
      tool,
      contract: tool.contract,
      pack,
      packOptIn,
      groups,
      probes,
      ...(quarantine !== undefined && { quarantine }),
      ...(isDown !== undefined && { isDown }),
      ...(file !== undefined && { file }),
      get version() {
        return (version ??= toToolVersion(tool.contract, entry.version))
      },
      get wireName() {
        return entry.wireName
      },
    })
  },
)

/** A tool can be replaced after its override was saved, so a form that no longer fits is left out. */
function changeContract(tool: Tool, override: ToolOverride): Tool {
  const { contract } = tool
  const { title, description, icon, examples, form, view, cost } = override
  const fits = form !== undefined && findFormIssues(form, contract.inputSchema).length === 0
  const wording = { title, description, icon, examples, view, cost, ...(fits && { form }) }
  const given = Object.entries(wording).filter(([, value]) => value !== undefined)
  const changed = { ...Object.fromEntries(given), ...toStricter(contract, override) }
  // A tenant that wants approval for every call also wants it for those that only read.
  const isAlways = override.approval === 'always' && tool.asksEachTime !== undefined
  return changeTool(isAlways ? { ...tool, asksEachTime: () => true } : tool, changed)
}

function toStricter(contract: ToolContract, override: ToolOverride): Partial<ToolContract> {
  const { effect, timeoutMs, approval, permission, labels } = override
  const isRaised =
    effect !== undefined && effects.indexOf(effect) > effects.indexOf(contract.effect)
  return {
    ...(isRaised && { effect, idempotent: false, retries: 0 }),
    ...(timeoutMs !== undefined && { timeoutMs: Math.min(timeoutMs, contract.timeoutMs) }),
    ...(approval !== undefined && { approval }),
    ...(permission !== undefined && { permission: contract.permission ?? permission }),
    ...(labels !== undefined && { labels: addLabels(contract, labels) }),
  }
}

function addLabels(contract: ToolContract, added: ToolLabels): ToolLabels {
  const before = contract.labels
  const reads = [...new Set([...(before?.reads ?? []), ...(added.reads ?? [])])]
  const reach = [before?.effects ?? effectOf(contract), added.effects ?? 'none']
  const rank = Math.max(...reach.map((effect) => outsideEffects.indexOf(effect)))
  const strongest = outsideEffects[rank] ?? 'irreversible'
  return { ...(reads.length > 0 && { reads }), effects: strongest }
}
