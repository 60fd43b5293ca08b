import { describe, expect, test } from 'vitest'
import { isToolError } from '../../core/kernel/errors.ts'
import { createId } from '../../core/kernel/ids.ts'
import { signInStoreOf } from '../../features/sign-ins/store/testing/sign-in-store-of.ts'
import type { OpenStores } from '../../features/open-stores.ts'
import { eventOf, freshTenant, startOf } from './records.ts'
import { withClock } from './shift-clock.ts'

const hour = 3_600_000
const principal = { kind: 'user', id: 'mem_1' } as const
const kind = 'test.clock'

/**
 * The contract of every store when this node's clock is wrong: expired things are expired, and
 * others are not. An embedded database has no other clock, so when that runs ahead, so does the
 * database.
 */
export function describeClock(store: () => OpenStores): void {
  const wait = async (tenant: string, deadlineAt: number) => {
    const work = { queue: 'default', priority: 0 }
    const waiting = { status: 'waiting', waitingFor: 'external', work } as const
    const call = startOf(tenant, { ...waiting, attempt: 0, startedAt: undefined, deadlineAt })
    await store().calls.open(call)
    return call.callId
  }
  const group = async (tenant: string, deadlineAt?: number) => {
    const groupId = createId('group')
    await store().groups.create({ groupId, tenant, continuation: { kind, data: null }, deadlineAt })
    return groupId
  }
  const overdue = async () => {
    const calls = (await store().calls.findOverdue(1000)).map(({ callId }) => callId)
    const groups = (await store().groups.findOverdue(1000)).map(({ groupId }) => groupId)
    return [...calls, ...groups]
  }
  const upload = (tenant: string, keepMs: number) =>
    store().uploads.put(
      { tenant, principal, name: 'a', mediaType: 'text/plain', keepMs },
      (async function* bytes() {
        yield new Uint8Array([1])
      })(),
    )
  const begin = async (tenant: string) => {
    const { conversations } = store()
    const of = { tenant, agent: 'helper', principal, kind: 'chat' as const }
    const { id: conversationId } = await conversations.open({ id: createId('conv'), ...of })
    const turn = {
      id: createId('turn'),
      tenant,
      conversationId,
      agent: 'helper',
      caller: { tenant, principal, permissions: ['*'], runtime: 'chat' as const },
      bounds: { maxSteps: 1 },
      messageId: createId('msg'),
      position: 0,
    }
    const event = eventOf('turn.started', null, store().now())
    await conversations.beginTurn({ turn, told: { principal, event } })
    return turn.id
  }
  const attempt = (subject: string) =>
    signInStoreOf(store())
      .attempts.begin([{ subject, free: -20 }])
      .then(
        () => 'tried',
        (error: unknown) => (isToolError(error) ? error.code : 'failed'),
      )

  describe('a clock that is put back two hours', () => {
    test('keeps no deadline of a call or a group from coming', async () => {
      const tenant = freshTenant()
      const due = [await wait(tenant, store().now() - 1), await group(tenant, store().now() - 1)]
      await withClock(-2 * hour, async () => {
        expect(await overdue()).toEqual(expect.arrayContaining(due))
      })
    })

    test('makes no lease of a group or a turn last longer', async () => {
      const tenant = freshTenant()
      const groupId = await group(tenant)
      await store().groups.seal(tenant, groupId)
      const turnId = await begin(tenant)
      const lease = { leaseMs: 1, limit: 1000 }
      const claim = async () => {
        const groups = await store().groups.claim({ kinds: [kind], ...lease })
        const turns = await store().conversations.claimTurns({ ...lease, turnId })
        return [groups.some((one) => one.groupId === groupId), turns.length]
      }
      expect(await claim()).toEqual([true, 1])
      await withClock(-2 * hour, async () => {
        await expect.poll(claim).toEqual([true, 1])
      })
    })

    test('keeps no upload that nobody used', async () => {
      const tenant = freshTenant()
      const { id } = await upload(tenant, 1)
      await withClock(-2 * hour, async () => {
        await expect
          .poll(async () => {
            await store().uploads.sweep({ keepMs: hour, limit: 1000 })
            return store().uploads.find(tenant, id)
          })
          .toBeUndefined()
      })
    })

    test('leaves no sign-in to an MCP server open', async () => {
      const tenant = freshTenant()
      const pending = { tenant, server: 'docs', subject: 'shared', value: {} }
      const state = createId('state')
      await store().connections.begin(state, { ...pending, expiresAt: store().now() - 1 })
      await withClock(-2 * hour, async () => {
        expect(await store().connections.peek(state)).toBeUndefined()
      })
    })

    test('dates ids and what they name by the time that decides', async () => {
      const before = store().now()
      await withClock(-2 * hour, async () => {
        const id = createId('call')
        expect(Number.parseInt(id.slice(5, 17), 16)).toBeGreaterThanOrEqual(before)
        const { createdAt } = await upload(freshTenant(), hour)
        expect(Date.parse(createdAt)).toBeGreaterThanOrEqual(before)
      })
    })

    test('dates keys, their end and members by it too', async () => {
      const tenant = freshTenant()
      const { keys, members } = store()
      const before = store().now()
      await withClock(-2 * hour, async () => {
        const { id, createdAt } = (await keys.create({ tenant, name: 'k', scopes: [] })).key
        await keys.revoke(tenant, id)
        const { revokedAt = '' } = (await keys.find(tenant, id)) ?? {}
        const owner = await members.ensureOwner(tenant)
        for (const time of [createdAt, revokedAt, owner.createdAt]) {
          expect(Date.parse(time)).toBeGreaterThanOrEqual(before)
        }
      })
    })
  })

  describe('a clock that is an hour ahead of a database server', () => {
    test('ends nothing early', async ({ skip }) => {
      if (store().kind === 'pglite') skip()
      const tenant = freshTenant()
      const inTenMinutes = store().now() + 600_000
      const open = [await wait(tenant, inTenMinutes), await group(tenant, inTenMinutes)]
      const { id } = await upload(tenant, 600_000)
      const state = createId('state')
      const pending = { tenant, server: 'docs', subject: 'shared', value: {} }
      await store().connections.begin(state, { ...pending, expiresAt: inTenMinutes })
      const subject = createId('account')
      expect(await attempt(subject)).toBe('tried')
      await withClock(hour, async () => {
        const found = await overdue()
        expect(open.filter((one) => found.includes(one))).toEqual([])
        await store().uploads.sweep({ keepMs: hour, limit: 1000 })
        expect(await store().uploads.find(tenant, id)).toBeDefined()
        expect(await store().connections.peek(state)).toBeDefined()
        // A lockout of minutes holds on every node.
        expect(await attempt(subject)).toBe('rate_limited')
      })
    })
  })
}
