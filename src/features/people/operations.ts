import type { Caller } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import type { EventLog } from '../../core/events/event-log.ts'
import { pageOf, pageQuery } from '../../core/operations/fields.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import { assertNoMore, requireOneOf } from '../../core/operations/require-permission.ts'
import { parseEmail } from '../../core/people/email.ts'
import type { Member, MemberStore } from '../../core/people/member.ts'
import type { RoleBook } from '../../core/people/role-book.ts'
import { checkScopes } from '../../core/policy/check-scopes.ts'
import { isOwner, memberNotFound } from './model.ts'
import { member, memberChange, memberNames, memberRequest, whoAmI as schema } from './schemas.ts'
import type { WhoAmI } from './schemas.ts'

/** The dependencies of the operations on members. */
export interface MemberParts {
  members: MemberStore
  roles: RoleBook
  events: Pick<EventLog, 'end'>
}

const mostNames = 500

const define = operationsOf<MemberParts>('Members')
const params = { id: 'The id of the member' }
const readers = ['members.manage', 'audit.read'] as const
const reading = { needs: { oneOf: readers }, agents: 'none' } as const
const managing = { needs: 'members.manage', agents: 'none' } as const
const lastOwner = { 409: 'They are the last owner' }

const whoAmI = define({
  http: 'GET /api/v1/me',
  summary: 'Get who you are',
  description: 'The principal, tenant and permissions of this key or sign-in.',
  needs: 'signed-in',
  agents: 'open',
  answer: { description: 'You', schema },
  async run(_input, { caller, parts }) {
    const { tenant, principal, home = tenant } = caller
    const [found, changesFrom] = await Promise.all([
      principal.kind === 'user' ? parts.members.find(home, principal.id) : undefined,
      parts.events.end(tenant),
    ])
    return { ...toWhoAmI(caller, found), changesFrom }
  },
})

const listMembers = define({
  http: 'GET /api/v1/members',
  summary: 'List members',
  description: 'Sorted by when they joined.',
  ...reading,
  query: pageQuery(50, 500),
  answer: { description: 'A page of members', schema: pageOf(member) },
  run: (query, { caller, parts }) => parts.members.list(caller.tenant, query),
})

const listNames = define({
  http: 'GET /api/v1/members/names',
  summary: 'List the names of members',
  description: `Ids and names without addresses and roles, at most ${mostNames}. Available to every signed-in member of the tenant; a key needs \`members.manage\` or \`audit.read\`.`,
  needs: 'signed-in',
  agents: 'none',
  answer: { description: 'The names', schema: memberNames },
  async run(_input, { caller, parts }) {
    if (caller.principal.kind !== 'user') requireOneOf(caller, readers)
    const { items } = await parts.members.list(caller.tenant, { limit: mostNames })
    return { items: items.map(({ id, name, email }) => ({ id, name: toShownName(name, email) })) }
  },
})

const createMember = define({
  http: 'POST /api/v1/members',
  summary: 'Add a member without an invitation',
  description: 'You must hold every permission that the member gets.',
  ...managing,
  body: memberRequest,
  answer: { status: 201, description: 'The member', schema: member },
  refusals: { 409: 'A member has this address already' },
  async run({ email: given, name, role = 'member', permissions = [] }, { caller, parts }) {
    const { members, roles } = parts
    roles.assertRole(role)
    if (role === 'owner') assertOwner(await isOwner(caller, members))
    checkScopes(permissions, [])
    assertNoMore(caller, roles.permissionsOf({ role, permissions }))
    const email = parseEmail(given)
    const made = { email, name: name ?? email, role, permissions }
    return members.create(caller.tenant, made, { by: caller.principal, event: 'member.added' })
  },
})

const findMember = define({
  http: 'GET /api/v1/members/{id}',
  summary: 'Get a member',
  ...reading,
  params,
  answer: { description: 'The member', schema: member },
  async run({ id }, { caller, parts }) {
    const found = await parts.members.find(caller.tenant, id)
    if (found === undefined) throw memberNotFound(id)
    return found
  },
})

const changeMember = define({
  http: 'PATCH /api/v1/members/{id}',
  summary: 'Change, suspend or resume a member',
  description:
    'Omitted fields are unchanged. Suspending signs them out everywhere. Only an owner can change owners, and the last owner stays one.',
  ...managing,
  params,
  body: memberChange,
  answer: { description: 'The member', schema: member },
  refusals: lastOwner,
  async run({ id, ...change }, { caller, parts }) {
    const { members, roles } = parts
    if (change.role !== undefined) roles.assertRole(change.role)
    checkScopes(change.permissions ?? [], [])
    const byOwner = await isOwner(caller, members)
    const check = (before: Member) => {
      const { role = before.role, permissions = before.permissions } = change
      if ([before.role, role].includes('owner')) assertOwner(byOwner)
      assertNoMore(caller, roles.permissionsOf(before))
      assertNoMore(caller, roles.permissionsOf({ role, permissions }))
    }
    const changed = await members.change(caller.tenant, id, { by: caller.principal, check, change })
    if (changed === undefined) throw memberNotFound(id)
    return changed
  },
})

const removeMember = define({
  http: 'DELETE /api/v1/members/{id}',
  summary: 'Remove a member',
  description: 'This signs them out everywhere.',
  ...managing,
  params,
  refusals: lastOwner,
  async run({ id }, { caller, parts }) {
    const { members, roles } = parts
    const byOwner = await isOwner(caller, members)
    const check = (before: Member) => {
      if (before.role === 'owner') assertOwner(byOwner)
      assertNoMore(caller, roles.permissionsOf(before))
    }
    const isRemoved = await members.remove(caller.tenant, id, { by: caller.principal, check })
    if (!isRemoved) throw memberNotFound(id)
  },
})

/** Everything that can be done with members, by library method. */
export const memberOperations = {
  whoAmI,
  listMembers,
  listNames,
  createMember,
  findMember,
  changeMember,
  removeMember,
}

/** A member without a name is shown by address, which not everyone may see. */
function toShownName(name: string, email: string | undefined): string {
  return name === email ? name.replace(/@.*$/s, '') : name
}

function toWhoAmI(caller: Caller, found: Member | undefined): Omit<WhoAmI, 'changesFrom'> {
  const { principal, tenant, home, permissions, agent } = caller
  return {
    principal,
    tenant,
    ...(home !== undefined && { home }),
    permissions: [...permissions],
    ...(found && { role: found.role, name: found.name }),
    ...(found?.email !== undefined && { email: found.email }),
    ...(agent !== undefined && { agent }),
  }
}

function assertOwner(isOwner: boolean): void {
  if (isOwner) return
  throw new ToolError('forbidden', 'Only an owner can add, change or remove owners', {
    fix: 'Ask an owner of this tenant. API keys are never owners.',
  })
}
