import type { Principal } from '../../core/call.ts'
import type { EventType } from '../../core/events/event.ts'
import { createId } from '../../core/ids.ts'
import type { JsonValue } from '../../core/json.ts'
import {
  assertOwnerStays,
  changeMember,
  describeChange,
  emailTaken,
  isActiveOwner,
} from '../../core/people/member-rules.ts'
import { firstOwnerId } from '../../core/people/member.ts'
import type { Member, MemberStore } from '../../core/people/member.ts'
import type { EventLog } from '../../core/events/event-log.ts'
import type { MemoryKeys } from './memory-vault.ts'

interface Kept {
  member: Member
  passwordHash: string | undefined
}

/** Members in memory. Nothing waits between a look and a change, so that changes take turns by themselves. */
export function createMemoryMembers(
  events: EventLog,
  keys: Pick<MemoryKeys, 'revokeOf'>,
): MemberStore {
  const kept = new Map<string, Kept>()
  const keyOf = (tenant: string, id: string) => `${tenant}\n${id}`
  const of = (tenant: string) => [...kept.values()].filter((one) => one.member.tenant === tenant)
  const byEmail = (tenant: string, email: string) =>
    of(tenant).find(({ member }) => member.email === email)
  function put(
    tenant: string,
    { email, ...facts }: Omit<Member, 'tenant' | 'status' | 'createdAt'>,
  ): Member {
    const createdAt = new Date().toISOString()
    const address = email === undefined ? {} : { email }
    const member: Member = { ...facts, ...address, tenant, status: 'active', createdAt }
    kept.set(keyOf(tenant, member.id), { member, passwordHash: undefined })
    return member
  }
  async function tell(
    tenant: string,
    principal: Principal,
    { type, data }: { type: EventType; data: JsonValue },
  ): Promise<void> {
    await events.record([{ tenant, principal, events: [{ type, at: Date.now(), data }] }])
  }
  function assertStays(before: Member, after?: Member): void {
    const others = of(before.tenant).filter(({ member }) => member.id !== before.id)
    assertOwnerStays(
      before,
      after,
      others.some(({ member }) => isActiveOwner(member)),
    )
  }
  return {
    async create(tenant, { email, name, role, permissions }, { by, event }) {
      if (email !== undefined && byEmail(tenant, email) !== undefined) throw emailTaken(email)
      const member = put(tenant, { id: createId('mem'), email, name, role, permissions })
      const { id } = member
      const data = { id, name, role, permissions: [...permissions], ...(email && { email }) }
      await tell(tenant, by ?? { kind: 'user', id }, { type: event, data })
      return member
    },
    find: async (tenant, id) => kept.get(keyOf(tenant, id))?.member,
    findByEmail: async (tenant, email) => byEmail(tenant, email)?.member,
    async list(tenant, { after = '', limit }) {
      const all = of(tenant)
        .map(({ member }) => member)
        .filter(({ id }) => id > after)
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      const items = all.slice(0, limit)
      return all.length > limit ? { items, next: items.at(-1)?.id } : { items }
    },
    async change(tenant, id, { by, check, change }) {
      const known = kept.get(keyOf(tenant, id))
      if (known === undefined) return undefined
      check?.(known.member)
      const after = changeMember(known.member, change)
      const data = describeChange(known.member, after)
      if (data === undefined) return known.member
      assertStays(known.member, after)
      known.member = after
      await tell(tenant, by, { type: 'member.changed', data })
      return after
    },
    async remove(tenant, id, { by, check }) {
      const member = kept.get(keyOf(tenant, id))?.member
      if (member === undefined) return false
      check?.(member)
      assertStays(member)
      kept.delete(keyOf(tenant, id))
      const { name, role, email } = member
      const data = { id, name, role, ...(email && { email }) }
      await tell(tenant, by, { type: 'member.removed', data })
      await keys.revokeOf(tenant, id, by)
      return true
    },
    ensureOwner: async (tenant) =>
      kept.get(keyOf(tenant, firstOwnerId))?.member ??
      put(tenant, { id: firstOwnerId, name: 'Owner', role: 'owner', permissions: [] }),
    async findWithPassword(tenant, who) {
      const known = 'id' in who ? kept.get(keyOf(tenant, who.id)) : byEmail(tenant, who.email)
      return known && { ...known }
    },
    async setPasswordHash(tenant, id, { hash, by }) {
      const known = kept.get(keyOf(tenant, id))
      if (known === undefined) return false
      known.passwordHash = hash
      const data = { id, password: hash === undefined ? 'removed' : 'set' }
      await tell(tenant, by, { type: 'member.changed', data })
      return true
    },
  }
}
