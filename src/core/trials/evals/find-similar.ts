import type { ToolOffer } from '../../offer/tool-offer.ts'
import { indexOf } from '../../search/tool-index.ts'

/** A tool, and others that a model may take for it. */
export interface SimilarTools {
  tool: string
  to: readonly string[]
}

const shownAtMost = 5
/** Of the score that a tool has for its own description. */
const leastShare = 0.6

/** The tools of an offer that its search ranks near this one, for the description of this one. */
export function findSimilar(
  { tools, find }: Pick<ToolOffer, 'tools' | 'find'>,
  name: string,
): SimilarTools | undefined {
  const tool = find(name)
  if (tool === undefined) return undefined
  const query = `${tool.title} ${tool.description}`
  const ranked = indexOf(tools).search(query, shownAtMost + 1)
  const own = ranked.find((one) => one.tool.name === tool.name)?.score ?? Infinity
  const to = ranked.flatMap((one) =>
    one.tool.name !== tool.name && one.score >= own * leastShare ? [one.tool.name] : [],
  )
  return to.length === 0 ? undefined : { tool: tool.name, to }
}
