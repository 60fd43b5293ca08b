import type { Caller } from '../../core/kernel/call.ts'
import { toTool } from '../../core/define-tool.ts'
import { decide } from '../../core/policy/decide.ts'
import { createRegistry, type RegisteredTool } from '../../core/registry.ts'
import type { Parts } from '../create-parts.ts'

/** May this caller have what belongs to tools whose names begin so? */
export type ToolSight = (caller: Caller, prefix: string) => Promise<boolean>

/**
 * A caller who sees one tool of a server may have what lies beside its tools: prompts and resources.
 * Of a server without tools it may have them where it would see a tool of it that only reads.
 */
export function createToolSight({
  registry,
  offers,
  ports,
}: Pick<Parts, 'registry' | 'offers' | 'ports'>): ToolSight {
  return async (caller, prefix) => {
    const isOf = ({ name }: { name: string }) => name.startsWith(prefix)
    if ((await offers.whole(caller)).tools.some(isOf)) return true
    if (registry.list(caller.tenant).some(({ contract }) => isOf(contract))) return false
    return decide(standIn(prefix), await ports.scopeFor(caller)).verdict !== 'deny'
  }
}

/** What policy is asked about where there is no tool. It is in no list and can't be called. */
function standIn(prefix: string): RegisteredTool {
  const registry = createRegistry()
  const name = `${prefix}resources`
  const tool = toTool(
    {
      name,
      source: 'gateway',
      pack: prefix.replaceAll(':', '-').slice(0, -1),
      title: name,
      description: 'What lies beside the tools of a server',
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
