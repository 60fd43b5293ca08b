/**
 * How a caller discovers tools: a list of all, or a search; `auto` decides by their number. `code`:
 * it writes programs that call them.
 */
export const toolModes = ['list', 'search', 'auto', 'code'] as const
export type ToolMode = (typeof toolModes)[number]

export const searchTool = 'tools.search'
export const describeTool = 'tools.describe'
export const callToolTool = 'tools.call'
/** Runs programs that call tools. */
export const codeTool = 'code.run'

const names: ReadonlySet<string> = new Set([searchTool, describeTool, callToolTool])

/**
 * Tools that find and call other tools. They grant nothing themselves: each call made through them
 * is decided as if it had been made directly. So nobody needs a grant for them, but a deny still
 * removes them.
 */
export function isMetaTool(name: string): boolean {
  return names.has(name)
}
