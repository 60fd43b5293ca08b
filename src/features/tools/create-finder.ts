import type { Caller } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import type { OfferedTool, Offers } from '../../core/offer/tool-offer.ts'
import type {
  FoundToolStore,
  ToolFinder,
  ToolHit,
  ToolSheet,
} from '../../core/kernel/context/tool-finder.ts'
import { indexOf } from '../../core/search/tool-index.ts'

/** Search over what a caller may use, and nothing else. */
export function createFinders(
  offers: Offers,
  found: FoundToolStore,
): (caller: Caller) => ToolFinder {
  return (caller) => {
    async function keep(tools: readonly OfferedTool[]): Promise<void> {
      const { tenant, sessionId } = caller
      if (sessionId === undefined) return
      const names = tools.map(({ name }) => name)
      await found.add(tenant, sessionId, names)
    }
    return {
      async search(query, limit) {
        const { tools } = await offers.whole(caller)
        const hits = indexOf(tools)
          .search(query, limit)
          .map(({ tool }) => tool)
        await keep(hits)
        return { found: hits.map(toHit), of: tools.length }
      },
      async describe(names) {
        const offer = await offers.whole(caller)
        const tools = names.flatMap((name) => offer.find(name) ?? [])
        const unknown = names.filter((name) => offer.find(name) === undefined)
        const [first] = unknown
        if (tools.length === 0 && first !== undefined) throw notFound(first)
        await keep(tools)
        return { sheets: tools.map(toSheet), unknown }
      },
    }
  }
}

function toHit({ name, title, description, effect }: OfferedTool): ToolHit {
  return { name, title, description, effect }
}

function toSheet(tool: OfferedTool): ToolSheet {
  const { wireName, inputSchema, outputSchema, examples, asks } = tool
  return { ...toHit(tool), wireName, inputSchema, outputSchema, examples, needsApproval: asks }
}

function notFound(name: string): ToolError {
  return new ToolError('tool_not_found', `There is no tool ${JSON.stringify(name.slice(0, 200))}`, {
    fix: 'Search for it with tools.search.',
  })
}
