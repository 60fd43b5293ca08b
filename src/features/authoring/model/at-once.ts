import type { Tool } from '../../../core/kernel/tool.ts'

/** A draft runs while its author waits, so that the test panel shows its result. */
export function atOnce(tool: Tool): Tool {
  if (tool.contract.execution !== 'background') return tool
  return { ...tool, contract: { ...tool.contract, execution: 'inline' } }
}
