import type { JsonValue } from '../../../api/json.ts'
import type { Agent } from '../parts/agent-queries.ts'

export type ToolSettings = Agent['settings'][string]
type Names = { name: string; aliases: readonly string[] }

/** An agent's settings for one tool while they are edited. Empty means inherited. */
export interface SettingsDraft {
  enabled: '' | 'off'
  approval: '' | 'always'
  execution: '' | 'inline' | 'background'
  /** In seconds. */
  timeout: number | ''
  /** Undefined: the tool's defaults. */
  options: Record<string, JsonValue> | undefined
}

export const inherited: SettingsDraft = {
  enabled: '',
  approval: '',
  execution: '',
  timeout: '',
  options: undefined,
}

/** The stored settings. Strict settings under older names of the tool apply as well. */
export function toSettingsDraft(settings: Agent['settings'], tool: Names): SettingsDraft {
  const own = settingsOf(settings, tool.name)
  const said = [own, ...tool.aliases.map((name) => settingsOf(settings, name))]
  return {
    enabled: said.some(({ enabled }) => enabled === false) ? 'off' : '',
    approval: said.some(({ needsApproval }) => needsApproval === true) ? 'always' : '',
    execution: own.execution ?? '',
    timeout: own.timeoutMs === undefined ? '' : own.timeoutMs / 1000,
    options: own.options as SettingsDraft['options'],
  }
}

/** All settings of the agent with this draft applied; inherited values are not stored. */
export function withSettings(
  settings: Agent['settings'],
  tool: Names,
  draft: SettingsDraft,
): Agent['settings'] {
  const others = Object.entries(settings).filter(
    ([name]) => name !== tool.name && !tool.aliases.includes(name),
  )
  const own: ToolSettings = {
    ...(draft.enabled === 'off' && { enabled: false }),
    ...(draft.approval === 'always' && { needsApproval: true }),
    ...(draft.execution !== '' && { execution: draft.execution }),
    ...(draft.timeout !== '' && { timeoutMs: Math.max(1, Math.round(draft.timeout * 1000)) }),
    ...(draft.options !== undefined && { options: draft.options }),
  }
  const isEmpty = Object.keys(own).length === 0
  return Object.fromEntries(isEmpty ? others : [...others, [tool.name, own]])
}

/** Whether the agent has settings for this tool. */
export function hasSettings(settings: Agent['settings'], name: string): boolean {
  return Object.keys(settingsOf(settings, name)).length > 0
}

/** Own properties only: a tool may be called `constructor`. */
function settingsOf(settings: Agent['settings'], name: string): ToolSettings {
  return (Object.hasOwn(settings, name) && settings[name]) || {}
}
