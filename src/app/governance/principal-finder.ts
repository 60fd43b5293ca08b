import type { Principal } from '../../core/call.ts'
import { ToolError } from '../../core/errors.ts'
import { rolePermissions } from '../../core/policy/roles.ts'
import type { KeyStore } from '../../core/vault-ports.ts'

/** Somebody with what they may do. */
export interface FoundPrincipal {
  principal: Principal
  permissions: readonly string[]
  /** The agent they are bound to. */
  agent?: string
}

/** A member as far as its permissions go. */
export interface MemberFacts {
  role: string
  permissions: readonly string[]
  status: 'active' | 'suspended'
}

export interface PrincipalFinderOptions {
  keys: Pick<KeyStore, 'find'>
  /** Absent where a crib has no members. */
  members?: { find(tenant: string, id: string): Promise<MemberFacts | undefined> }
}

export interface PrincipalFinder {
  /** Of `member:<id>`, `key:<id>` or `role:<name>`, as it stands now. Throws not_found. */
  findPermissions(tenant: string, as: string): Promise<FoundPrincipal>
}

/** Says what others may do, for *test as*. */
export function createPrincipalFinder({ keys, members }: PrincipalFinderOptions): PrincipalFinder {
  const finders: Record<string, (tenant: string, id: string) => Promise<FoundPrincipal>> = {
    async role(_tenant, id) {
      return { principal: { kind: 'user', id: `role ${id}` }, permissions: permissionsOf(id) }
    },
    async key(tenant, id) {
      const key = await keys.find(tenant, id)
      if (key === undefined) throw unknown(`key ${quote(id)}`)
      const { scopes, agent, revokedAt, expiresAt } = key
      const isOver = expiresAt !== undefined && Date.parse(expiresAt) <= Date.now()
      const permissions = revokedAt !== undefined || isOver ? [] : scopes
      return { principal: { kind: 'key', id }, permissions, ...(agent !== undefined && { agent }) }
    },
    async member(tenant, id) {
      const member = await members?.find(tenant, id)
      if (member === undefined) throw unknown(`member ${quote(id)}`)
      const held = member.status === 'active' ? permissionsOf(member.role) : []
      const added = member.status === 'active' ? member.permissions : []
      return { principal: { kind: 'user', id }, permissions: [...held, ...added] }
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

function permissionsOf(role: string): readonly string[] {
  const known: Readonly<Record<string, readonly string[]>> = rolePermissions
  const permissions = Object.hasOwn(known, role) ? known[role] : undefined
  if (permissions !== undefined) return permissions
  throw unknown(`role ${quote(role)}`, `There are ${Object.keys(known).join(', ')}.`)
}

function unknown(what: string, fix?: string): ToolError {
  return new ToolError('not_found', `There is no ${what}`, { fix })
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 100))
}
