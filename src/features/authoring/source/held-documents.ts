import type { JsonValue } from '../../../core/kernel/json.ts'
import type { Rule } from '../../../core/rules/rule-store.ts'
import type { VersionStore } from '../../versions/version-store.ts'
import type { SpecKind } from '../kinds/spec-kind.ts'
import { type ReadDocument, readPublishedDocument } from '../model/read-document.ts'
import { readPublished } from '../rules.ts'

/** A published document in memory. */
export interface HeldDocument {
  name: string
  hash: string
  /** Absent where the rule or the version can't be read. */
  read: ReadDocument
}

/** As many tenants as have tools in the registry. */
const tenantsAtMost = 500

/** The published documents of tenants. A version is read once, because it never changes. */
export function createHeldDocuments(
  versions: Pick<VersionStore, 'readBodies'>,
  kinds: readonly SpecKind[],
): (tenant: string, rules: readonly Rule[]) => Promise<ReadonlyMap<string, HeldDocument>> {
  const tenants = new Map<string, ReadonlyMap<string, HeldDocument>>()

  return async (tenant, rules) => {
    if (rules.length === 0 && !tenants.has(tenant)) return new Map()
    const known = tenants.get(tenant) ?? new Map<string, HeldDocument>()
    const wanted = rules.map((rule) => ({ name: rule.name, hash: readPublished(rule)?.hash ?? '' }))
    const missing = wanted.filter(({ name, hash }) => known.get(name)?.hash !== hash)
    const bodies = await versions.readBodies(tenant, 'tool', missing)
    const held = new Map(
      wanted.map((key) => {
        const before = known.get(key.name)
        const document =
          before?.hash === key.hash ? before : toHeld(key, bodies.get(key.name), kinds)
        return [key.name, document]
      }),
    )
    tenants.delete(tenant)
    if (held.size > 0) tenants.set(tenant, held)
    if (tenants.size > tenantsAtMost) tenants.delete(tenants.keys().next().value ?? '')
    return held
  }
}

function toHeld(
  { name, hash }: { name: string; hash: string },
  body: JsonValue | undefined,
  kinds: readonly SpecKind[],
): HeldDocument {
  if (body === undefined) {
    const message = 'its published version is missing; publish it again'
    return { name, hash, read: { findings: [{ path: '', message, severity: 'error' }] } }
  }
  const read = readPublishedDocument(body, kinds)
  if (read.document === undefined || read.document.name === name) return { name, hash, read }
  const message = `is ${read.document.name}, but it is stored as ${name}`
  return { name, hash, read: { findings: [{ path: '/name', message, severity: 'error' }] } }
}
