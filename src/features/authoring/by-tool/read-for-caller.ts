import type { Caller } from '../../../core/kernel/call.ts'
import type {
  AuthoredDocument,
  AuthoredFacts,
} from '../../../core/kernel/context/tool-authoring.ts'
import type { JsonValue } from '../../../core/kernel/json.ts'
import { decide } from '../../../core/policy/decide.ts'
import type { Scope } from '../../../core/policy/scope.ts'
import { assertAuthoring, findUses, toolNotFound } from '../find-source.ts'
import type { AuthoringParts } from '../parts.ts'
import { readPublished } from '../rules.ts'

/** A document in force that the caller could call. */
export interface SeenDocument extends AuthoredFacts {
  document: JsonValue
}

/** Throws the same for a tool that is hidden from the caller as for one that does not exist. */
export async function findSeen(
  caller: Caller,
  name: string,
  parts: AuthoringParts,
): Promise<SeenDocument> {
  assertAuthoring(parts)
  const { tenant } = caller
  await parts.ports.readyTools(tenant)
  const rule = await parts.store.rules.find(tenant, 'tool', name)
  const published = rule && readPublished(rule)
  if (published === undefined || !isSeen(name, await parts.scopeFor(caller), parts)) {
    throw toolNotFound(name)
  }
  const { hash: version, kind = 'unknown' } = published
  const kept = await parts.versions.find(tenant, 'tool', { name, hash: version })
  if (kept === undefined) throw toolNotFound(name)
  return { name, kind, version, document: kept.body }
}

/** One document, with its users among those that the caller may know of. */
export async function readDocumentFor(
  caller: Caller,
  name: string,
  parts: AuthoringParts,
): Promise<AuthoredDocument> {
  const seen = await findSeen(caller, name, parts)
  const scope = await parts.scopeFor(caller)
  const { tools, agents } = await findUses(caller.tenant, name, parts)
  const usedBy = [
    ...tools.filter((user) => isSeen(user, scope, parts)),
    ...agents.map((agent) => `agent:${agent}`),
  ]
  return { ...seen, usedBy }
}

const pageSize = 100

/** A page may be short, or empty, where other tools are hidden from the caller. */
export async function listDocuments(
  caller: Caller,
  after: string | undefined,
  parts: AuthoringParts,
): Promise<{ items: AuthoredFacts[]; next?: string }> {
  assertAuthoring(parts)
  const { tenant } = caller
  await parts.ports.readyTools(tenant)
  const scope = await parts.scopeFor(caller)
  const page = await parts.store.rules.page(tenant, 'tool', { after, limit: pageSize })
  const items = page.items.flatMap((rule) => {
    const { hash: version, kind = 'unknown' } = readPublished(rule) ?? {}
    const { name } = rule
    return version !== undefined && isSeen(name, scope, parts) ? [{ name, kind, version }] : []
  })
  return { items, ...(page.next !== undefined && { next: page.next }) }
}

function isSeen(name: string, scope: Scope, { registry }: AuthoringParts): boolean {
  const entry = registry.find(name, scope.tenant)
  if (entry?.contract.name !== name || entry.contract.source !== 'authored') return false
  return decide(entry, scope).verdict !== 'deny'
}
