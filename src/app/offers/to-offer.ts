import type { OfferedTool, ToolOffer } from '../../core/offer/tool-offer.ts'

/** All tools that a scope can use in one offer, with the tools to search it. */
export interface WholeOffer {
  readonly offer: ToolOffer
  readonly metaTools: readonly OfferedTool[]
}

/** An offer of these tools; unlisted ones can be found by name in `beyond`. */
export function toOffer(tools: readonly OfferedTool[], beyond?: ToolOffer): ToolOffer {
  let byName: Map<string, OfferedTool> | undefined
  return {
    tools: Object.freeze(tools),
    mode: beyond === undefined ? 'list' : 'search',
    find(name) {
      byName ??= new Map([
        ...tools.map((tool) => [tool.wireName, tool] as const),
        ...tools.map((tool) => [tool.name, tool] as const),
      ])
      return byName.get(name) ?? beyond?.find(name)
    },
  }
}
