import type { Registry } from '../core/registry.ts'
import type { Pack, Tool } from '../core/kernel/tool.ts'

/** Puts built-in packs into the registry. One that can't be registered stops the start. */
export function registerPacks(registry: Registry, packs: readonly Pack[]): void {
  registry.update(
    packs.flatMap((pack) =>
      pack.tools.map(
        (tool) => ({ type: 'register', tool: asBuiltIn(tool), origin: { pack } }) as const,
      ),
    ),
  )
}

function asBuiltIn(tool: Tool): Tool {
  return Object.freeze({
    ...tool,
    contract: Object.freeze({ ...tool.contract, source: 'builtin' as const }),
  })
}
