import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createId } from '../../core/kernel/ids.ts'
import type { CallStart } from '../../core/call-log.ts'
import type { Stores } from '../../features/stores.ts'
import type { SettledStatus } from '../../core/kernel/call.ts'
import { eventDefinitions } from '../../features/declarations.ts'
import { freshTenant, settlementOf, startOf } from './records.ts'

const kind = 'test.turn'
const leaseMs = 60_000

/** The contract of every store for groups. `openOther` opens a second node on the same engine. */
export function describeGroups(store: () => Stores, openOther: () => Promise<Stores>): void {
  let other: Stores
  const make = async (tenant: string, data: unknown = null) => {
    const groupId = createId('group')
    const continuation = { kind, data: data as null }
    await store().groups.create({ groupId, tenant, continuation })
    return groupId
  }
  const join = async (tenant: string, groupId: string, more: Partial<CallStart> = {}) => {
    const call = startOf(tenant, { groupId, ...more })
    return { call, opened: await store().calls.open(call) }
  }
  const claimed = async (node: Stores, groupId: string, ms = leaseMs) => {
    const groups = await node.groups.claim({ kinds: [kind], leaseMs: ms, limit: 1000 })
    return groups.find((group) => group.groupId === groupId)
  }
  const find = async (tenant: string, groupId: string) => {
    const group = await store().groups.find(tenant, groupId)
    return group && [group.isSealed, group.members, group.pending, group.failed]
  }
  const eventsOf = async (tenant: string, groupId: string) => {
    const { items } = await store().events.read(tenant, { limit: 1000 })
    return items.filter(({ data }) => (data as { groupId?: string } | null)?.groupId === groupId)
  }

  describe('groups', () => {
    beforeAll(async () => {
      other = await openOther()
    })
    afterAll(() => other.close())

    test('members count themselves in and off, and the last one settles a sealed group', async () => {
      const tenant = freshTenant()
      const groupId = await make(tenant, { turn: 1, odd: '\ud800\u0000\n' })
      const first = await join(tenant, groupId, { idempotencyKey: 'first' })
      const calls = [first, await join(tenant, groupId)]
      expect(await find(tenant, groupId)).toEqual([false, 2, 2, 0])
      // One comes before the seal.
      await store().calls.settle(settlementOf(calls[1]!.call, { status: 'failed' }))
      await store().groups.seal(tenant, groupId)
      expect(await find(tenant, groupId)).toEqual([true, 2, 1, 1])
      expect(await claimed(store(), groupId)).toBeUndefined()
      await store().calls.settle(settlementOf(calls[0]!.call))
      const group = await claimed(store(), groupId)
      expect(group).toEqual({
        groupId,
        tenant,
        continuation: { kind, data: { turn: 1, odd: '\ud800\u0000\n' } },
        isSealed: true,
        members: 2,
        pending: 0,
        failed: 1,
        attempt: 1,
        settledAt: settlementOf(calls[0]!.call).settledAt,
        settledBy: calls[0]!.call.callId,
      })
      const members = await store().groups.listMembers(tenant, groupId)
      expect(members.map(({ idempotencyKey }) => idempotencyKey)).toEqual(['first', undefined])
      expect(members.map(({ callId, status }) => [callId, status])).toEqual([
        [calls[0]!.call.callId, 'completed'],
        [calls[1]!.call.callId, 'failed'],
      ])
    })

    test('sealed, unknown and foreign groups let nobody in, and nothing is written', async () => {
      const tenant = freshTenant()
      const [open, sealed] = [await make(tenant), await make(tenant)]
      await store().groups.seal(tenant, sealed)
      const tries: [string, string, Partial<CallStart>, string][] = [
        [tenant, sealed, {}, 'group_closed'],
        [tenant, sealed, { idempotencyKey: 'k' }, 'group_closed'],
        [tenant, createId('group'), {}, 'not_found'],
        [tenant, 'nonsense', {}, 'not_found'],
        [freshTenant(), open, {}, 'not_found'],
      ]
      for (const [who, groupId, more, code] of tries) {
        const { call, opened } = await join(who, groupId, more)
        expect(opened).toMatchObject({ kind: 'refused', error: { code } })
        expect(await store().calls.find(who, call.callId)).toBeUndefined()
      }
      expect([await find(tenant, open), await find(tenant, sealed)]).toEqual([
        [false, 0, 0, 0],
        [true, 0, 0, 0],
      ])
      expect(await store().groups.seal(freshTenant(), open)).toBeUndefined()
    })

    test('a call that was opened before is not counted twice, by id or by key', async () => {
      const tenant = freshTenant()
      const groupId = await make(tenant)
      const { call } = await join(tenant, groupId)
      expect(await store().calls.open(call)).toEqual({ kind: 'opened' })
      const keyed = { idempotencyKey: 'once' }
      const first = await join(tenant, groupId, keyed)
      expect(first.opened).toEqual({ kind: 'opened' })
      expect((await join(tenant, groupId, keyed)).opened.kind).toBe('existing')
      expect(await find(tenant, groupId)).toEqual([false, 2, 2, 0])
    })

    test('an empty group settles when it is sealed, and its events come in order, once', async () => {
      const tenant = freshTenant()
      const groupId = await make(tenant)
      for (const _ of [1, 2]) await store().groups.seal(tenant, groupId)
      await Promise.all([1, 2, 3].map(() => store().groups.announceSettled(1000)))
      const group = await claimed(store(), groupId)
      expect(group?.attempt).toBe(1)
      expect(await store().groups.finish(tenant, groupId, 1)).toBe(true)
      expect(await store().groups.finish(tenant, groupId, 1)).toBe(false)
      const told = await eventsOf(tenant, groupId)
      const counts = { members: 0, pending: 0, failed: 0 }
      expect(told.map(({ type, seq, data, principal }) => [type, seq, data, principal.id])).toEqual(
        [
          ['group.sealed', 1, { groupId, kind, ...counts, attempt: 0 }, 'groups'],
          ['group.settled', 2, { groupId, kind, ...counts, attempt: 0 }, 'groups'],
          ['group.continued', 3, { groupId, kind, ...counts, attempt: 1 }, 'groups'],
        ],
      )
      // SQL writes these, so that nothing else compares them with their schema.
      const parsed = told.map(({ type, data }) => eventDefinitions[type].data().parse(data))
      expect(parsed).toEqual(told.map(({ data }) => data))
    })

    test('one node at a time has a group; an old attempt keeps and finishes nothing', async () => {
      const tenant = freshTenant()
      const groupId = await make(tenant)
      await store().groups.seal(tenant, groupId)
      const both = await Promise.all([claimed(store(), groupId, 200), claimed(other, groupId, 200)])
      expect(both.filter((group) => group !== undefined)).toHaveLength(1)
      expect(await store().groups.hold(tenant, groupId, leaseMs)).toBeUndefined()
      await new Promise((resolve) => setTimeout(resolve, 300))
      expect((await claimed(other, groupId))?.attempt).toBe(2)
      expect(await store().groups.keep(tenant, groupId, { attempt: 1, ms: 5 })).toBe(false)
      expect(await store().groups.finish(tenant, groupId, 1)).toBe(false)
      expect(await other.groups.keep(tenant, groupId, { attempt: 2, ms: leaseMs })).toBe(true)
      expect(await other.groups.finish(tenant, groupId, 2)).toBe(true)
      expect(await claimed(store(), groupId)).toBeUndefined()
      const told = (await eventsOf(tenant, groupId)).map(({ type }) => type)
      expect(told).toEqual(['group.sealed', 'group.settled', 'group.continued'])
    })

    test('kinds that a node does not know are left to others', async () => {
      const tenant = freshTenant()
      const groupId = await make(tenant)
      await store().groups.seal(tenant, groupId)
      const query = { kinds: ['another.kind'], leaseMs, limit: 1000 }
      const found = (await store().groups.claim(query)).map((group) => group.groupId)
      expect(found).not.toContain(groupId)
      expect((await claimed(other, groupId))?.groupId).toBe(groupId)
    })

    test('however calls end and groups are sealed at once on two nodes, every group settles once', async () => {
      const tenant = freshTenant()
      const statuses: SettledStatus[] = ['completed', 'failed', 'cancelled', 'denied']
      const groups = await Promise.all(Array.from({ length: 20 }, () => make(tenant)))
      const members = await Promise.all(
        groups.flatMap((groupId) =>
          Array.from({ length: 12 }, async () => (await join(tenant, groupId)).call),
        ),
      )
      const wins = new Map<string, string[]>()
      const settle = async (call: CallStart, index: number) => {
        const status = statuses[index % 4] ?? 'failed'
        const node = index % 2 === 0 ? store() : other
        if (!(await node.calls.settle(settlementOf(call, { status })))) return
        wins.set(call.callId, [...(wins.get(call.callId) ?? []), status])
      }
      const seals = groups.flatMap((groupId) =>
        [store(), other].map((node) => node.groups.seal(tenant, groupId)),
      )
      const settles = [0, 1, 2].flatMap((round) =>
        members.map((call, index) => settle(call, index * 7 + round)),
      )
      await Promise.all([...settles.slice(0, 300), ...seals, ...settles.slice(300)])
      expect([...wins.values()].map((all) => all.length)).toEqual(members.map(() => 1))
      const claims = await Promise.all(
        [store(), other, store(), other].map((node) =>
          node.groups.claim({ kinds: [kind], leaseMs, limit: 1000 }),
        ),
      )
      const ours = claims.flat().filter((group) => group.tenant === tenant)
      expect(ours.map(({ groupId }) => groupId).toSorted()).toEqual(groups.toSorted())
      for (const group of ours) {
        const own = members.filter(({ groupId }) => groupId === group.groupId)
        const failed = own.filter(({ callId }) => wins.get(callId)?.[0] !== 'completed').length
        expect([group.members, group.pending, group.failed]).toEqual([12, 0, failed])
        const listed = await store().groups.listMembers(tenant, group.groupId)
        expect(listed.map(({ callId }) => callId)).toEqual(own.map(({ callId }) => callId))
      }
    })

    test('of calls that end together, one settles their group; of an early end, the seal does', async () => {
      const tenant = freshTenant()
      const [together, early] = [await make(tenant), await make(tenant)]
      const calls = await Promise.all(
        Array.from({ length: 12 }, async () => (await join(tenant, together)).call),
      )
      await store().groups.seal(tenant, together)
      const ends = calls.map(async (call, index) => {
        const node = index % 3 === 0 ? other : store()
        await node.calls.settle(settlementOf(call))
        const group = await node.groups.find(tenant, together)
        return { callId: call.callId, settledBy: group?.settledBy }
      })
      const last = (await Promise.all(ends)).filter(({ callId, settledBy }) => callId === settledBy)
      expect(last).toHaveLength(1)
      expect((await store().groups.find(tenant, together))?.settledBy).toBe(last[0]?.callId)

      await store().calls.settle(settlementOf((await join(tenant, early)).call))
      const sealed = await store().groups.seal(tenant, early)
      expect([sealed?.settledAt, sealed?.settledBy]).toEqual([expect.any(Number), undefined])
    })

    test('calls that join while the group is sealed are in or refused, and the count is exact', async () => {
      const tenant = freshTenant()
      for (let round = 0; round < 10; round += 1) {
        const groupId = await make(tenant)
        const nodes = [store(), other]
        const joins = Array.from({ length: 10 }, async (_, index) => {
          const call = startOf(tenant, { groupId })
          const { kind: how } = await nodes[index % 2]!.calls.open(call)
          if (how === 'opened') await nodes[(index + 1) % 2]!.calls.settle(settlementOf(call))
          return how
        })
        const [all] = await Promise.all([Promise.all(joins), other.groups.seal(tenant, groupId)])
        const joined = all.filter((how) => how === 'opened').length
        expect(await find(tenant, groupId)).toEqual([true, joined, 0, 0])
        expect((await claimed(store(), groupId))?.members).toBe(joined)
      }
    })

    test('old groups are removed once continued, and until then keep the events they still have to record', async () => {
      const tenant = freshTenant()
      const groupId = await make(tenant)
      const { call } = await join(tenant, groupId)
      await store().calls.settle(settlementOf(call))
      await store().groups.seal(tenant, groupId)
      const soon = Date.now() + 60_000
      await store().audit.seal(tenant)
      await store().removeOld(tenant, soon, 100)
      expect(await store().groups.listMembers(tenant, groupId)).toHaveLength(1)
      const group = await claimed(store(), groupId)
      await store().groups.finish(tenant, groupId, group?.attempt ?? 0)
      expect(await eventsOf(tenant, groupId)).toHaveLength(3)
      await store().audit.seal(tenant)
      for (const _ of [1, 2]) await store().removeOld(tenant, soon, 100)
      expect(await store().groups.find(tenant, groupId)).toBeUndefined()
      expect(await store().calls.find(tenant, call.callId)).toBeUndefined()
      expect(await eventsOf(tenant, groupId)).toEqual([])
    })

    test('groups past their deadline are found until they have settled', async () => {
      const tenant = freshTenant()
      const groupId = createId('group')
      const deadlineAt = other.now() - 5
      const continuation = { kind, data: null }
      await store().groups.create({ groupId, tenant, continuation, deadlineAt })
      const overdue = async () =>
        (await other.groups.findOverdue(1000)).map((group) => group.groupId)
      expect(await overdue()).toContain(groupId)
      await store().groups.seal(tenant, groupId)
      expect(await overdue()).not.toContain(groupId)
    })
  })
}
