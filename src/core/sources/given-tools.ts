import { refuseIsolated } from '../isolate-tool.ts'
import type { Tool } from '../kernel/tool.ts'
import type { ToolSource } from './tool-source.ts'

/** Tools that were given as objects, by the configuration or a program that embeds the crib. */
export function createGivenTools(tools: readonly Tool[] = []): ToolSource {
  const given = tools.map((tool) => {
    refuseIsolated(tool)
    return { tool }
  })
  return { name: 'given', toolsFor: async (owner) => (owner === 'everyone' ? given : []) }
}
