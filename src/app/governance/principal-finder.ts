import type { Principal } from '../../core/call.ts'
import { ToolError } from '../../core/errors.ts'
import type { RoleBook } from '../../core/people/role-book.ts'
import type { KeyStore } from '../../core/vault-ports.ts'

/** Somebody with what they may do. */
export interface FoundPrincipal {
  principal: Principal
  permissions: readonly string[]
  /** The agent they are bound to. */
  agent?: string
  /** Why they hold nothing, where they did: a revoked key, a suspended member. */
  isOver?: string
}

/** A member as far as its permissions go. */
export interface MemberFacts {
  role: string
  permissions: readonly string[]
  status: 'active' | 'suspended'
}

export interface PrincipalFinderOptions {
  roles: RoleBook
  keys: Pick<KeyStore, 'find'>
  /** Absent where a crib has no members. */
  members?: { find(tenant: string, id: string): Promise<MemberFacts | undefined> }
}

export interface PrincipalFinder {
  /** Of `member:<id>`, `key:<id>` or `role:<name>`, as it stands now. Throws not_found. */
  findPermissions(tenant: string, as: string): Promise<FoundPrincipal>
}

/** Says what others may do, for *test as*. */
export function createPrincipalFinder({
  keys,
  members,
  roles,
}: PrincipalFinderOptions): PrincipalFinder {
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
      const { scopes, agent, revokedAt, expiresAt } = key
      const isExpired = expiresAt !== undefined && Date.parse(expiresAt) <= Date.now()
      const end = revokedAt !== undefined ? 'is revoked' : isExpired ? 'has expired' : undefined
      return {
        principal: { kind: 'key', id },
        permissions: end === undefined ? scopes : [],
        ...(agent !== undefined && { agent }),
        ...(end !== undefined && { isOver: `the key ${id} ${end}` }),
      }
    },
    async member(tenant, id) {
      const member = await members?.find(tenant, id)
      if (member === undefined) throw unknown(`member ${quote(id)}`)
      const principal = { kind: 'user', id } as const
      if (member.status === 'active') return { principal, permissions: roles.permissionsOf(member) }
      return { principal, permissions: [], isOver: `the member ${id} is suspended` }
    },
  }
  return {
    async findPermissions(tenant, as) {
      const [, kind = '', id = ''] = /^(\w+):(.+)$/s.exec(as) ?? []
      const find = Object.hasOwn(finders, kind) ? finders[kind] : undefined
      if (find !== undefined) return find(tenant, id)
      throw new ToolError('invalid_request', `as=${quote(as)} names nobody`, {
        fix: 'Write member:<id>, key:<id> or role:<name>.',
      })
    },
  }
}

function unknown(what: string, fix?: string): ToolError {
  return new ToolError('not_found', `There is no ${what}`, { fix })
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 100))
}
