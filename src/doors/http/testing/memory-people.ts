import type { MemberApi } from '../../../core/people/member-api.ts'
import type { Member } from '../../../core/people/member.ts'
import { ToolError } from '../../../core/errors.ts'
import type { TenantApi } from '../../../core/rules/tenant-api.ts'
import { tenantNotFound } from '../../../core/rules/tenant.ts'
import type { Tenant } from '../../../core/rules/tenant.ts'

const createdAt = '2026-01-01T00:00:00.000Z'

/** Tenants and members of the memory crib: no rules, only what the door hands on. */
export function memoryPeople(): TenantApi & MemberApi {
  const tenants = new Map<string, Tenant>()
  const members = new Map<string, Member>()
  const put = <T>(map: Map<string, T>, key: string, value: T): T => {
    map.set(key, value)
    return value
  }
  const findTenant = (slug: string): Tenant => {
    const found = tenants.get(slug)
    if (found === undefined) throw tenantNotFound(slug)
    return found
  }
  const findMember = (id: string): Member => {
    const found = members.get(id)
    if (found === undefined) throw new ToolError('not_found', `There is no member ${id}`)
    return found
  }
  return {
    async actIn(caller, tenant) {
      if (tenant === caller.tenant) return caller
      if (caller.tenant !== 'default') throw tenantNotFound(tenant)
      return { ...caller, tenant: findTenant(tenant).slug, home: caller.tenant }
    },
    listTenants: async () => ({ items: [...tenants.values()] }),
    findTenant: async (_caller, slug) => findTenant(slug),
    createTenant: async (_caller, { slug, name = slug }) =>
      put(tenants, slug, { slug, name, status: 'active', isDeclared: false, createdAt }),
    changeTenant: async (_caller, slug, change) =>
      put(tenants, slug, { ...findTenant(slug), ...change }),
    async deleteTenant(_caller, slug, confirm) {
      if (confirm !== findTenant(slug).slug) throw new ToolError('invalid_request', 'Confirm it')
      tenants.delete(slug)
    },
    whoAmI: async ({ principal, tenant, permissions, home }) => ({
      principal,
      tenant,
      permissions,
      home,
    }),
    listMembers: async () => ({ items: [...members.values()] }),
    listNames: async () => [...members.values()].map(({ id, name }) => ({ id, name })),
    findMember: async (_caller, id) => findMember(id),
    createMember: async ({ tenant }, { email, name = email, role = 'member', permissions = [] }) =>
      put(members, `mem_${members.size}`, {
        id: `mem_${members.size}`,
        tenant,
        email,
        name,
        role,
        permissions,
        status: 'active',
        createdAt,
      }),
    changeMember: async (_caller, id, change) => put(members, id, { ...findMember(id), ...change }),
    async removeMember(_caller, id) {
      members.delete(findMember(id).id)
    },
  }
}
