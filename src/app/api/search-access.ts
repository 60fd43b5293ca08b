import { asAgent } from '../../core/kernel/caller.ts'
import type { OfferedTool } from '../../core/offer/tool-offer.ts'
import { estimateAll, estimateTokens } from '../../core/search/estimate-tokens.ts'
import type { SearchApi, SearchHit } from '../../core/search/search-api.ts'
import { indexOf } from '../offers/create-finder.ts'
import type { Offers } from '../offers/create-offers.ts'
import { requirePermission } from '../../core/operations/require-permission.ts'

const heaviestShown = 10

/** Search over tools for people, and what lists of tools cost a model. */
export function createSearchAccess({ offers }: { offers: Offers }): SearchApi {
  return {
    async searchTools(caller, { query, limit, agent }) {
      requirePermission(caller, 'tools.call')
      const { tools } = await offers.whole(asAgent(caller, { agent }))
      const found = indexOf(tools).search(query, limit)
      return { items: found.map(({ tool }) => toHit(tool)), searched: tools.length }
    },
    async estimateTools(caller, { agent }) {
      requirePermission(caller, 'tools.call')
      const as = asAgent(caller, { agent })
      const { tools } = await offers.whole(as)
      const { mode } = await offers.offer(as)
      const short = await offers.offer({ ...as, toolMode: 'search' })
      const heaviest = tools
        .map((tool) => ({ name: tool.name, tokens: estimateTokens(tool) }))
        .sort((left, right) => right.tokens - left.tokens || (left.name < right.name ? -1 : 1))
      return {
        tools: tools.length,
        mode,
        tokens: { list: estimateAll(tools), search: estimateAll(short.tools) },
        heaviest: heaviest.slice(0, heaviestShown),
      }
    },
  }
}

function toHit(tool: OfferedTool): SearchHit {
  const { name, wireName, title, description, effect, pack, source } = tool
  return { name, wireName, title, description, effect, pack, source }
}
