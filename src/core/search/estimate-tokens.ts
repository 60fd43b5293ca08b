import type { OfferedTool } from '../offer/tool-offer.ts'
import { utf8Length } from '../kernel/text/utf8.ts'

/** For English JSON, approximately; models differ by a quarter either way. */
const bytesPerToken = 4

/** The approximate number of tokens that a tool's definition takes in a model's context. */
export function estimateTokens(tool: OfferedTool): number {
  const known = estimates.get(tool)
  if (known !== undefined) return known
  const { wireName, description, inputSchema } = tool
  const text = JSON.stringify({ name: wireName, description, input: inputSchema })
  const estimate = Math.ceil(utf8Length(text) / bytesPerToken)
  estimates.set(tool, estimate)
  return estimate
}

const estimates = new WeakMap<OfferedTool, number>()

/** The sum for all of them. */
export function estimateAll(tools: readonly OfferedTool[]): number {
  return tools.reduce((sum, tool) => sum + estimateTokens(tool), 0)
}
