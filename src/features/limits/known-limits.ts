import { ToolError } from '../../core/kernel/errors.ts'
import { globalPrefix } from '../../core/limits/limit.ts'
import type { Rule } from '../../core/rules/rule-store.ts'
import type { LimitParts } from './parts.ts'
import { limitSpec, type Limit } from './schemas.ts'

/** A limit with the key that its counts are stored under. */
export interface KnownLimit {
  key: string
  limit: Omit<Limit, 'use' | 'next' | 'warnings'>
}

type Parts = Pick<LimitParts, 'rules' | 'everywhere'>

/** The limits that hold for a tenant, by key. */
export async function listKnown(
  tenant: string,
  { rules, everywhere }: Parts,
): Promise<KnownLimit[]> {
  const own = (await rules.list(tenant, 'limit')).map(toKnown)
  const global = everywhere.map(({ name, ...spec }): KnownLimit => {
    const limit = { name, ...spec, isGlobal: true, isDeclared: true }
    return { key: `${globalPrefix}${name}`, limit }
  })
  return [...global, ...own].toSorted((left, right) => (left.key < right.key ? -1 : 1))
}

/** Missing limits and those of other tenants get the same answer. */
export async function findKnown(tenant: string, name: string, parts: Parts): Promise<KnownLimit> {
  const all = await listKnown(tenant, parts)
  const found = all.findLast(({ limit }) => limit.name === name)
  if (found === undefined) throw limitNotFound(name)
  return found
}

export function toKnown(rule: Rule): KnownLimit {
  const { name, isDeclared, updatedAt, updatedBy } = rule
  const parsed = limitSpec.safeParse(rule.body)
  const facts = { name, isGlobal: false, isDeclared, updatedAt, updatedBy }
  if (parsed.success) return { key: name, limit: { ...parsed.data, ...facts } }
  const closed = 'it is stored in an unknown format and refuses everything'
  return { key: name, limit: { of: 'tenant', ...facts, closed } }
}

export function limitNotFound(name: string): ToolError {
  return new ToolError('not_found', `There is no limit ${JSON.stringify(name.slice(0, 100))}`, {
    fix: 'toolcrib limits lists them.',
  })
}
