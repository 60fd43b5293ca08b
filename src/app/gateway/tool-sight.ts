import type { Caller } from '../../core/kernel/call.ts'
import { toTool } from '../../core/define-tool.ts'
import { serverPack } from '../../core/gateway/server-spec.ts'
import type { ToolContract } from '../../core/kernel/tool.ts'
import { decide } from '../../core/policy/decide.ts'
import { createRegistry, type RegisteredTool } from '../../core/registry.ts'
import type { Parts } from '../parts.ts'

/** Whether this caller may use things that belong to the tools of this MCP server. */
export type ToolSight = (caller: Caller, server: string) => Promise<boolean>

/**
 * A caller who sees one tool of a server may use its prompts and resources. If the server has no
 * tools, the caller may use them if a read-only tool of it would be visible.
 */
export function createToolSight({
  registry,
  offers,
  ports,
}: Pick<Parts, 'registry' | 'offers' | 'ports'>): ToolSight {
  return async (caller, server) => {
    const isOf = (tool: ToolFacts) => isToolOf(tool, server)
    if ((await offers.whole(caller)).tools.some(isOf)) return true
    if (registry.list(caller.tenant).some(({ contract }) => isOf(contract))) return false
    return decide(standIn(server), await ports.scopeFor(caller)).verdict !== 'deny'
  }
}

type ToolFacts = Pick<ToolContract, 'source' | 'pack'>

/** Whether the tool comes from this MCP server. */
export function isToolOf({ source, pack }: ToolFacts, server: string): boolean {
  return source === 'gateway' && pack === serverPack(server)
}

/** A stand-in for policy checks where there is no tool. It is not listed and can't be called. */
function standIn(server: string): RegisteredTool {
  const registry = createRegistry()
  const name = `mcp:${server}:resources`
  const tool = toTool(
    {
      name,
      source: 'gateway',
      pack: serverPack(server),
      title: name,
      description: 'Prompts and resources of a server',
      effect: 'read',
      inputSchema: { type: 'object' },
    },
    { execute: () => undefined },
  )
  registry.register(tool)
  const entry = registry.find(name)
  if (entry === undefined) throw new TypeError(`${name} was not registered`)
  return entry
}
