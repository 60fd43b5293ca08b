import { isToolError } from '../kernel/errors.ts'
import type { Registry, RegistryChange } from '../registry.ts'
import type { OwnTool } from '../tenant-tables.ts'
import type { RefusedTools, ToolSource } from './tool-source.ts'

type Placed = ReadonlyMap<string, OwnTool>

/**
 * Keeps one source's shared tools in the registry. Resolves when the registry is up to date; all
 * callers that arrive during a run share the next one.
 */
export function createEveryonesTools(
  registry: Registry,
  source: ToolSource,
): () => Promise<readonly RefusedTools[]> {
  /** By file: the tools of one file change in one step. */
  const files = new Map<string | undefined, Placed>()
  let running: Promise<readonly RefusedTools[]> | undefined
  let next: Promise<readonly RefusedTools[]> | undefined

  async function sync(): Promise<readonly RefusedTools[]> {
    const wanted = byFile(await source.toolsFor('everyone'))
    for (const [file, placed] of files) {
      if (wanted.has(file)) continue
      registry.update(removals(registry, placed, []))
      files.delete(file)
    }
    return [...wanted].flatMap(([file, tools]) => {
      try {
        files.set(file, place(registry, { source, tools, placed: files.get(file) ?? new Map() }))
        return []
      } catch (error) {
        if (!isToolError(error)) throw error
        return [{ file, error }]
      }
    })
  }
  function request(): Promise<readonly RefusedTools[]> {
    if (running === undefined) {
      running = sync().finally(() => (running = undefined))
      return running
    }
    next ??= running
      .catch(() => [])
      .then(() => {
        next = undefined
        return request()
      })
    return next
  }
  return request
}

function byFile(tools: readonly OwnTool[]): Map<string | undefined, OwnTool[]> {
  const files = new Map<string | undefined, OwnTool[]>()
  for (const own of tools) {
    const file = own.origin?.file
    const known = files.get(file)
    if (known === undefined) files.set(file, [own])
    else known.push(own)
  }
  return files
}

interface Placing {
  source: ToolSource
  tools: readonly OwnTool[]
  placed: Placed
}

/** Changes the registry from the placed to the wanted tools, and returns the placed ones. */
function place(registry: Registry, { source, tools, placed }: Placing): Placed {
  const changes = removals(registry, placed, tools)
  const kept = new Map<string, OwnTool>()
  for (const own of tools) {
    const { name } = own.tool.contract
    const there = registry.find(name)
    const before = kept.has(name) ? undefined : placed.get(name)
    const isOurs = there !== undefined && there.tool === before?.tool
    const isTaken = kept.has(name) || (there !== undefined && !isOurs)
    if (source.isYielding && isTaken) continue
    // A taken name is refused by the registry, which knows its owner.
    changes.push(...toChanges(name, own, isOurs ? before : undefined))
    kept.set(name, own)
  }
  registry.update(changes)
  return kept
}

/** If another source has taken the name in the meantime, the tool is not ours to remove. */
function removals(
  registry: Registry,
  placed: Placed,
  wanted: readonly OwnTool[],
): RegistryChange[] {
  const names = new Set(wanted.map(({ tool }) => tool.contract.name))
  return [...placed].flatMap(([name, { tool }]): RegistryChange[] =>
    !names.has(name) && registry.find(name)?.tool === tool ? [{ type: 'remove', name }] : [],
  )
}

function toChanges(name: string, own: OwnTool, before: OwnTool | undefined): RegistryChange[] {
  const { tool, origin, quarantine: reason, isDown } = own
  const same = before !== undefined && isSame(before, own) ? before : undefined
  const type = before === undefined ? 'register' : 'replace'
  return [
    ...(same ? [] : [{ type, tool, ...(origin && { origin }) } as const]),
    // A new tool is neither quarantined nor down.
    ...(same?.quarantine === reason ? [] : [{ type: 'quarantine', name, reason } as const]),
    ...(same?.isDown === isDown ? [] : [{ type: 'down', name, reason: isDown } as const]),
  ]
}

function isSame({ tool, origin }: OwnTool, other: OwnTool): boolean {
  return (
    tool === other.tool &&
    origin?.pack === other.origin?.pack &&
    origin?.codeDigest === other.origin?.codeDigest
  )
}
