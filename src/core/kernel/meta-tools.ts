/** How a caller discovers tools: a list of all, or a search; `auto` decides by their number. */
export const toolModes = ['list', 'search', 'auto'] as const
export type ToolMode = (typeof toolModes)[number]

export const searchTool = 'tools.search'
export const describeTool = 'tools.describe'
export const callToolTool = 'tools.call'

const names: ReadonlySet<string> = new Set([searchTool, describeTool, callToolTool])

/**
 * Tools that find and call other tools. They grant nothing themselves: each call made through them
 * is decided as if it had been made directly. So nobody needs a grant for them, but a deny still
 * removes them.
 */
export function isMetaTool(name: string): boolean {
  return names.has(name)
}
