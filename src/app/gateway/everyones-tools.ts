import type { Registry, RegistryChange } from '../../core/registry.ts'
import type { OwnTool } from '../../core/tenant-tables.ts'
import type { Tool } from '../../core/kernel/tool.ts'

/** Keeps the tools of everybody's servers in the registry, one change at a time. */
export function createEveryonesTools(registry: Registry, read: () => Promise<readonly OwnTool[]>) {
  const placed = new Map<string, OwnTool>()
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  async function sync(): Promise<void> {
    const wanted = new Map((await read()).map((own) => [own.tool.contract.name, own]))
    const changes: RegistryChange[] = []
    for (const [name, { tool }] of placed) {
      // Somebody else has taken the name meanwhile: it is not ours to remove.
      if (!wanted.has(name) && isOurs(registry, tool)) changes.push({ type: 'remove', name })
    }
    const taken = new Set<string>()
    for (const [name, own] of wanted) {
      const there = registry.find(name)
      if (there !== undefined && !isOurs(registry, there.tool, placed)) taken.add(name)
      else changes.push(...toChanges(name, own, placed.get(name)))
    }
    registry.update(changes)
    placed.clear()
    for (const [name, own] of wanted) if (!taken.has(name)) placed.set(name, own)
  }
  return {
    /** Resolves when the registry has what there is now; all who come while one runs share the next. */
    sync: request,
  }
  function request(): Promise<void> {
    if (running === undefined) {
      running = sync().finally(() => (running = undefined))
      return running
    }
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined
        return request()
      })
    return next
  }
}

function isOurs(registry: Registry, tool: Tool, placed?: ReadonlyMap<string, OwnTool>): boolean {
  const { name } = tool.contract
  if (placed !== undefined) return placed.get(name)?.tool === tool
  return registry.find(name)?.tool === tool
}

function toChanges(name: string, own: OwnTool, before: OwnTool | undefined): RegistryChange[] {
  const { tool, quarantine: reason, isDown } = own
  const isSame = before?.tool === tool
  return [
    ...(isSame ? [] : [{ type: before === undefined ? 'register' : 'replace', tool } as const]),
    ...(isSame && before.quarantine === reason
      ? []
      : [{ type: 'quarantine', name, reason } as const]),
    ...(isSame && before.isDown === isDown
      ? []
      : [{ type: 'down', name, reason: isDown } as const]),
  ]
}
