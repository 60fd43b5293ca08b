import { findAskers, type PeopleBehind } from '../../core/approvals/askers.ts'
import type { Caller, Principal } from '../../core/kernel/call.ts'
import { isToolError, ToolError } from '../../core/kernel/errors.ts'
import type { Member, MemberStore } from '../../core/people/member.ts'
import type { StoredQuestion } from './model.ts'
import type { RoleBook } from '../../core/people/role-book.ts'
import { compilePermissions } from '../../core/policy/permissions.ts'

// People are stored as keys of callers: `role:<name>`, `user:<id>`, `key:<id>`. The caller is
// stored beside them as `by:user:<id>`: callers see their question, and answer it only if asked.

/** The dependencies for finding the people that a question goes to. */
export interface AddresseeParts extends PeopleBehind {
  members: Pick<MemberStore, 'find' | 'findByEmail'>
  roles: Pick<RoleBook, 'names' | 'permissionsOf' | 'assertRole'>
}

/** Resolved addressees: as they were given, and as keys. */
export interface Addressees {
  to: readonly string[]
  people: readonly string[]
}

type Asker = Pick<Caller, 'tenant' | 'principal' | 'person' | 'onBehalfOf'>

/**
 * Finds whom a question goes to. By default to the people who made the call, or to operators where
 * no person did. Throws invalid_input for an unknown role or member.
 */
export async function findAddressees(
  given: readonly string[] | undefined,
  asker: Asker,
  parts: AddresseeParts,
): Promise<Addressees> {
  const askers = (await findAskers(asker, parts)).filter(isPersonal).map(toKey)
  const to = given ?? defaultTo(askers)
  const people = new Set<string>()
  for (const [index, one] of to.entries()) {
    for (const key of await toKeys(one, { asker, askers, parts, index })) people.add(key)
  }
  if (people.size === 0) throw nobodyAsked()
  return { to, people: [...people, ...askers.map((key) => `by:${key}`)] }
}

/** Other people for a question. Its caller still sees it. */
export async function readdress(
  { tenant, askedBy, people: before }: StoredQuestion,
  to: readonly string[],
  parts: AddresseeParts,
): Promise<Addressees> {
  const { principal } = askedBy
  const found = await findAddressees(to, { tenant, principal }, parts)
  const askers = before.filter((key) => key.startsWith('by:'))
  return { to, people: [...new Set([...found.people, ...askers])] }
}

function defaultTo(askers: readonly string[]): readonly string[] {
  return askers.some((key) => key.startsWith('user:')) ? ['requester'] : ['role:operator']
}

interface Place {
  asker: Asker
  askers: readonly string[]
  parts: AddresseeParts
  index: number
}

async function toKeys(text: string, place: Place): Promise<readonly string[]> {
  if (text === 'requester') return place.askers
  const [kind, name = ''] = splitAtColon(text)
  if (kind === 'role' && name !== '') return [toRoleKey(name, place)]
  if (kind === 'user' && name !== '') {
    const member = await findMember(place.asker.tenant, name, place.parts)
    if (member !== undefined) return [`user:${member.id}`]
    throw unknownAddressee(place.index, `There is no member ${JSON.stringify(name.slice(0, 100))}`)
  }
  const said = JSON.stringify(text.slice(0, 100))
  throw unknownAddressee(place.index, `${said} is not requester, role:<name> or user:<id>`)
}

function toRoleKey(name: string, { parts: { roles }, index }: Place): string {
  try {
    roles.assertRole(name)
  } catch (error) {
    throw unknownAddressee(index, isToolError(error) ? error.message : String(error))
  }
  if (permissionsOf(name, roles).length > 0) return `role:${name}`
  throw unknownAddressee(index, `The role ${name} has no permissions, so nobody holds it`)
}

async function findMember(
  tenant: string,
  name: string,
  { members }: Pick<AddresseeParts, 'members'>,
): Promise<Member | undefined> {
  return name.includes('@')
    ? members.findByEmail(tenant, name.toLowerCase())
    : members.find(tenant, name)
}

/**
 * The keys of a caller. A role is held by everybody who may do all that it may: an owner answers
 * what operators are asked. A key answers for its owner if it may call tools.
 */
export function keysOf(caller: Caller, roles: AddresseeParts['roles']): readonly string[] {
  const held = compilePermissions(caller.permissions)
  const covered = roles.names.filter((name) => {
    const needed = permissionsOf(name, roles)
    return needed.length > 0 && needed.every((permission) => held.has(permission))
  })
  return [...covered.map((name) => `role:${name}`), ...ownKeysOf(caller)]
}

/** The keys under which a caller finds the questions of its own calls. */
export function askerKeysOf(caller: Caller): readonly string[] {
  return ownKeysOf(caller).map((key) => `by:${key}`)
}

/** A key without the permission to call tools does nothing for its owner here. */
function ownKeysOf({ principal, person, permissions }: Caller): readonly string[] {
  const isForPerson = person !== undefined && compilePermissions(permissions).has('tools.call')
  return (isForPerson ? [principal, person] : [principal]).filter(isPersonal).map(toKey)
}

function permissionsOf(role: string, roles: AddresseeParts['roles']): readonly string[] {
  return roles.permissionsOf({ role, permissions: [] })
}

function isPersonal({ kind }: Principal): boolean {
  return kind === 'user' || kind === 'key'
}

function toKey({ kind, id }: Principal): string {
  return `${kind}:${id}`
}

function splitAtColon(text: string): [string, string?] {
  const colon = text.indexOf(':')
  return colon < 0 ? [text] : [text.slice(0, colon), text.slice(colon + 1)]
}

function unknownAddressee(index: number, message: string): ToolError {
  return new ToolError('invalid_input', message, {
    issues: [{ path: `/to/${index}`, message }],
    fix: 'Name a role (role:operator), a member (user:ada@example.com), or requester.',
  })
}

function nobodyAsked(): ToolError {
  const message = 'Nobody would be asked: no person made this call'
  return new ToolError('invalid_input', message, {
    issues: [{ path: '/to', message }],
    fix: 'Name a role (role:operator) or a member (user:ada@example.com).',
  })
}
