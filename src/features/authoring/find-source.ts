import type { Caller } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import type { KnownTools } from '../../core/sources/known-tools.ts'
import { toolsOf } from '../../core/rules/tools-of.ts'
import { namesTool } from '../../core/rules/read-rules.ts'
import type { SpecKind } from './kinds/spec-kind.ts'
import { waysUse } from './model/document-ways.ts'
import type { ReadDocument } from './model/read-document.ts'
import type { AuthoringParts } from './parts.ts'
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

/** Everything that would miss the tool: authored tools that call it, agents that name it. */
export async function findUses(
  tenant: string,
  name: string,
  { source, rules, store }: Pick<AuthoringParts, 'source' | 'rules' | 'store'>,
): Promise<UsedBy> {
  const documents = await source.documentsOf(tenant, await rules.list(tenant, 'tool'))
  const tools = [...documents.values()].flatMap(({ read, name: user }) =>
    read.document !== undefined && usesOf(read).includes(name) ? [user] : [],
  )
  const [agents, grants] = await Promise.all([
    store.rules.readUnder(tenant, 'agent', ''),
    store.rules.readUnder(tenant, 'grants', ''),
  ])
  const naming = [...agents, ...grants].filter((rule) => namesTool(rule, name))
  return { tools, agents: [...new Set(naming.map((rule) => rule.name))].toSorted() }
}

function usesOf({ document, kind }: Extract<ReadDocument, { kind: SpecKind }>): string[] {
  return [...(kind.uses?.(document) ?? []), ...waysUse(document)]
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
