import { ToolError } from '../../core/kernel/errors.ts'
import type { RoleBook } from '../../core/people/role-book.ts'
import type { Stores } from '../../features/stores.ts'
import type { FindPrincipal, FoundPrincipal } from '../../features/explain/parts.ts'
import type { Authorities } from './authorities.ts'

interface PrincipalFinderOptions {
  roles: RoleBook
  store: Pick<Stores, 'keys' | 'members'>
  authorities: Pick<Authorities, 'ofKey' | 'ofMember'>
}

/** Finds the permissions of others, for *test as*. */
export function createPrincipalFinder({
  store: { keys, members },
  authorities,
  roles,
}: PrincipalFinderOptions): FindPrincipal {
  const finders: Record<string, (tenant: string, id: string) => Promise<FoundPrincipal>> = {
    async role(_tenant, id) {
      if (!roles.names.includes(id)) {
        throw unknown(`role ${quote(id)}`, `There are ${roles.names.join(', ')}.`)
      }
      const permissions = roles.permissionsOf({ role: id, permissions: [] })
      return { principal: { kind: 'user', id: `role ${id}` }, permissions }
    },
    async key(tenant, id) {
      const key = await keys.find(tenant, id)
      if (key === undefined) throw unknown(`key ${quote(id)}`)
      const { agent } = key
      const authority = await authorities.ofKey(key)
      return { principal: { kind: 'key', id }, ...authority, ...(agent !== undefined && { agent }) }
    },
    async member(tenant, id) {
      const member = await members.find(tenant, id)
      if (member === undefined) throw unknown(`member ${quote(id)}`)
      return { principal: { kind: 'user', id }, ...authorities.ofMember(member, tenant) }
    },
  }
  return async (tenant, as) => {
    const [, kind = '', id = ''] = /^(\w+):(.+)$/s.exec(as) ?? []
    const find = Object.hasOwn(finders, kind) ? finders[kind] : undefined
    if (find !== undefined) return find(tenant, id)
    throw new ToolError('invalid_request', `as=${quote(as)} names nobody`, {
      fix: 'Write member:<id>, key:<id> or role:<name>.',
    })
  }
}

function unknown(what: string, fix?: string): ToolError {
  return new ToolError('not_found', `There is no ${what}`, { fix })
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 100))
}
