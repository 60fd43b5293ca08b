import type { Tool } from '../../../core/kernel/tool.ts'

/** A draft runs while its author waits, whatever is said of its execution. */
export function atOnce(tool: Tool): Tool {
  if (tool.contract.execution !== 'background') return tool
  return { ...tool, contract: { ...tool.contract, execution: 'inline' } }
}
