import type { Pack, Tool } from '../kernel/tool.ts'
import type { ToolSource } from './tool-source.ts'

/** The tools of built-in packs. */
export function createPackTools(packs: readonly Pack[]): ToolSource {
  const tools = packs.flatMap((pack) =>
    pack.tools.map((tool) => ({ tool: asBuiltIn(tool), origin: { pack } })),
  )
  return { name: 'packs', toolsFor: async (owner) => (owner === 'everyone' ? tools : []) }
}

function asBuiltIn(tool: Tool): Tool {
  return Object.freeze({
    ...tool,
    contract: Object.freeze({ ...tool.contract, source: 'builtin' as const }),
  })
}
