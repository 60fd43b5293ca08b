import type { JsonValue } from '../../../api/json.ts'
import type { Agent } from '../parts/agent-queries.ts'

export type ToolSettings = Agent['settings'][string]
type Names = { name: string; aliases: readonly string[] }

/** What an agent says of one tool, while it is edited. Empty stands for what is inherited. */
export interface SettingsDraft {
  enabled: '' | 'off'
  approval: '' | 'always'
  execution: '' | 'inline' | 'background'
  /** In seconds. */
  timeout: number | ''
  /** Undefined: the defaults of the tool. */
  options: Record<string, JsonValue> | undefined
}

export const inherited: SettingsDraft = {
  enabled: '',
  approval: '',
  execution: '',
  timeout: '',
  options: undefined,
}

/** As it stands: of what is said under older names, the strict words hold too. */
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

/** All settings of the agent with these in place; what is inherited is not written down. */
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

/** The agent says something of this tool. */
export function hasSettings(settings: Agent['settings'], name: string): boolean {
  return Object.keys(settingsOf(settings, name)).length > 0
}

/** Its own alone: a tool may have a name that every object knows. */
function settingsOf(settings: Agent['settings'], name: string): ToolSettings {
  return (Object.hasOwn(settings, name) && settings[name]) || {}
}
