import type { Caller } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import type { KnownTools } from '../../core/sources/known-tools.ts'
import type { Registry } from '../../core/registry.ts'
import { toolsOf } from '../../core/rules/tools-of.ts'
import { namesTool } from '../../core/rules/read-rules.ts'
import { waysUse } from './model/document-ways.ts'
import type { AuthoringParts } from './parts.ts'
import type { HeldDocument } from './source/held-documents.ts'
import type { UsedBy } from './schemas.ts'

/** The tools that documents of this tenant may name. */
export function knownTools(
  { registry }: Pick<AuthoringParts, 'registry'>,
  tenant: string,
): KnownTools {
  const tools = toolsOf(registry, tenant)
  return {
    find(name) {
      const contract = tools.find(name)?.contract
      return contract?.name === name ? contract : undefined
    },
    names: () => tools.list().map(({ contract }) => contract.name),
  }
}

/** More say nothing else. */
const schedulesAtMost = 100

/**
 * The tools that a tool calls: from its published document, or from its steps if it is a composition
 * of another source. Empty if neither is known.
 */
export function usesOf(name: string, { tenant, published, registry }: UseParts): readonly string[] {
  const read = published.get(name)?.read
  if (read !== undefined) return (read.document && read.kind.uses?.(read.document)) ?? []
  return registry.find(name, tenant)?.tool.steps?.map(({ tool }) => tool) ?? []
}

interface UseParts {
  tenant: string
  /** The published documents of the tenant, by name. */
  published: ReadonlyMap<string, HeldDocument>
  registry: Pick<Registry, 'find'>
}

/** Everything that would miss the tool: tools that call it, agents that name it, and schedules. */
export async function findUses(
  tenant: string,
  name: string,
  parts: Pick<AuthoringParts, 'source' | 'rules' | 'store' | 'registry' | 'schedules'>,
): Promise<UsedBy> {
  const { source, rules, store, registry, schedules } = parts
  const published = await source.documentsOf(tenant, await rules.list(tenant, 'tool'))
  const others = registry
    .list(tenant)
    .flatMap(({ tool, contract }) => (tool.steps ? contract.name : []))
  const callers = [...new Set([...published.keys(), ...others])]
  const tools = callers.filter((user) => {
    const document = published.get(user)?.read.document
    const named = document === undefined ? [] : waysUse(document)
    return [...usesOf(user, { tenant, published, registry }), ...named].includes(name)
  })
  const [agents, grants, running] = await Promise.all([
    store.rules.readUnder(tenant, 'agent', ''),
    store.rules.readUnder(tenant, 'grants', ''),
    schedules.list(tenant, { tool: name, limit: schedulesAtMost }),
  ])
  const naming = [...agents, ...grants].filter((rule) => namesTool(rule, name))
  return {
    tools,
    agents: [...new Set(naming.map((rule) => rule.name))].toSorted(),
    schedules: running.items.map((schedule) => schedule.name),
  }
}

/** Throws unless documents can be made here, and this can be the name of one. */
export function assertAuthoring({ settings }: Pick<AuthoringParts, 'settings'>): void {
  if (settings.enabled) return
  throw new ToolError('forbidden', 'Tools cannot be made as documents on this server', {
    fix: 'Set authoring.enabled in the configuration, and restart.',
  })
}

export function toolNotFound(name: string): ToolError {
  return new ToolError('tool_not_found', `There is no tool ${JSON.stringify(name.slice(0, 200))}`, {
    fix: 'toolcrib tools list lists them.',
  })
}

/** A name that only a tool of another source has. */
export function assertOwnName(name: string, caller: Caller, parts: AuthoringParts): void {
  const entry = parts.registry.find(name, caller.tenant)
  const { name: theirs, source } = entry?.contract ?? {}
  if (source === undefined || source === 'authored' || theirs !== name) return
  throw new ToolError('name_taken', `${name} is a tool of another source`, {
    fix: `Choose another name, or change facts of it: PATCH /tools/${name}.`,
    details: { name },
  })
}
