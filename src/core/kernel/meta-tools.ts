/** How a caller gets to know its tools: all of them in a list, or by searching; `auto` by how many there are. */
export const toolModes = ['list', 'search', 'auto'] as const
export type ToolMode = (typeof toolModes)[number]

export const searchTool = 'tools.search'
export const describeTool = 'tools.describe'
export const callToolTool = 'tools.call'

const names: ReadonlySet<string> = new Set([searchTool, describeTool, callToolTool])

/**
 * The tools by which others are found and called. They give nothing of themselves: whatever comes
 * through them is decided about as if it had been called directly. So nobody needs a grant for them;
 * a deny takes them away all the same.
 */
export function isMetaTool(name: string): boolean {
  return names.has(name)
}
