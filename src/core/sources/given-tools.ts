import { refuseIsolated } from '../isolate-tool.ts'
import type { Tool } from '../kernel/tool.ts'
import type { ToolSource } from './tool-source.ts'

/** Tools passed as objects, by the configuration or an embedding program. */
export function createGivenTools(tools: readonly Tool[] = []): ToolSource {
  const given = tools.map((tool) => {
    refuseIsolated(tool)
    return { tool }
  })
  return { name: 'given', toolsFor: async (owner) => (owner === 'everyone' ? given : []) }
}
