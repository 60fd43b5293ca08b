import { describe, expect, test } from 'vitest'
import { flowKey, type FlagRaise } from '../../../core/flow/session-flags.ts'
import { createId, createUuid } from '../../../core/kernel/ids.ts'
import type { Stores } from '../../stores.ts'
import { eventOf, freshTenant, settlementOf, startOf } from '../../../store/contract/records.ts'

const key = flowKey({ sessionId: 'ses_1' })

function raiseOf(tenant: string, facts: Partial<FlagRaise> = {}): FlagRaise {
  return {
    tenant,
    key,
    kinds: ['untrusted'],
    callId: createId('call'),
    tool: 'web.fetch',
    by: { kind: 'user', id: 'anna' },
    sessionId: 'ses_1',
    agent: 'support',
    at: Date.parse('2026-11-15T10:00:00.000Z'),
    ...facts,
  }
}

/** The contract of every store for flags of sessions, and for finding events again. */
export function describeSessionFlags(
  store: () => Stores,
  { openOther }: { openOther?: () => Promise<Stores> } = {},
): void {
  const told = async (tenant: string) =>
    (await store().events.read(tenant, { limit: 100 })).items.map(
      ({ type, sessionId, agent, principal, data }) => ({
        type,
        sessionId,
        agent,
        principal,
        data,
      }),
    )

  describe('flags of sessions', () => {
    test('a flag stays with the call that raised it first, and is recorded once', async () => {
      const tenant = freshTenant()
      const first = raiseOf(tenant)
      expect(await store().sessionFlags.read(tenant, key)).toEqual([])
      await store().sessionFlags.raise(first)
      await store().sessionFlags.raise(raiseOf(tenant, { at: first.at + 1 }))
      const { callId, tool } = first
      expect(await store().sessionFlags.read(tenant, key)).toEqual([
        { kind: 'untrusted', callId, tool, raisedAt: '2026-11-15T10:00:00.000Z' },
      ])
      expect(await told(tenant)).toEqual([
        {
          type: 'session.flagged',
          sessionId: 'ses_1',
          agent: 'support',
          principal: { kind: 'user', id: 'anna' },
          data: { kind: 'untrusted', callId, tool },
        },
      ])
    })

    test('both kinds can come from one call, and a later one adds what lacks', async () => {
      const tenant = freshTenant()
      const first = raiseOf(tenant)
      const second = raiseOf(tenant, { kinds: ['untrusted', 'private'], at: first.at + 1 })
      await store().sessionFlags.raise(first)
      await store().sessionFlags.raise(second)
      const flags = await store().sessionFlags.read(tenant, key)
      expect(flags.map(({ kind, callId }) => [kind, callId])).toEqual([
        ['untrusted', first.callId],
        ['private', second.callId],
      ])
    })

    test('sessions, chains and tenants keep theirs apart', async () => {
      const [tenant, other] = [freshTenant(), freshTenant()]
      const rootId = createId('call')
      await store().sessionFlags.raise(raiseOf(tenant, { key: flowKey({ rootId }) }))
      const read = (of: string, at: string) => store().sessionFlags.read(of, at)
      expect(await read(tenant, key)).toEqual([])
      expect(await read(tenant, flowKey({ sessionId: rootId }))).toEqual([])
      expect(await read(other, flowKey({ rootId }))).toEqual([])
      expect(await read(tenant, flowKey({ rootId }))).toHaveLength(1)
    })

    test('of many who raise it at once, one did', async () => {
      const tenant = freshTenant()
      const raises = Array.from({ length: 20 }, () => raiseOf(tenant))
      await Promise.all(raises.map((raise) => store().sessionFlags.raise(raise)))
      const [flag, ...more] = await store().sessionFlags.read(tenant, key)
      expect(more).toEqual([])
      expect(raises.map(({ callId }) => callId)).toContain(flag?.callId)
      expect(await told(tenant)).toHaveLength(1)
    })

    test('a person takes them off, with a word about what there was; then they can come again', async () => {
      const tenant = freshTenant()
      const by = { kind: 'user', id: 'ben' } as const
      const { callId } = raiseOf(tenant)
      await store().sessionFlags.raise(raiseOf(tenant, { callId }))
      expect(await store().sessionFlags.read(tenant, key)).toHaveLength(1)
      const flag = {
        kind: 'untrusted',
        callId,
        tool: 'web.fetch',
        raisedAt: '2026-11-15T10:00:00.000Z',
      }
      expect(await store().sessionFlags.clear(tenant, key, by)).toEqual([flag])
      expect(await store().sessionFlags.clear(tenant, key, by)).toEqual([])
      expect(await store().sessionFlags.read(tenant, key)).toEqual([])
      expect((await told(tenant)).at(-1)).toEqual({
        type: 'session.cleared',
        sessionId: 'ses_1',
        agent: undefined,
        principal: by,
        data: { flags: [flag] },
      })
      await store().sessionFlags.raise(raiseOf(tenant))
      expect(await store().sessionFlags.read(tenant, key)).toHaveLength(1)
    })

    test.runIf(openOther !== undefined)('another node sees them at once', async () => {
      const tenant = freshTenant()
      await store().sessionFlags.raise(raiseOf(tenant))
      const other = await openOther?.()
      expect(await other?.sessionFlags.read(tenant, key)).toHaveLength(1)
      await other?.close()
    })

    test.runIf(openOther !== undefined)(
      'old ones go when nothing of the session is left',
      async () => {
        const tenant = freshTenant()
        const rootId = createId('call')
        const keys = ['gone', 'goes-on'].map((sessionId) => flowKey({ sessionId }))
        for (const at of [...keys, flowKey({ rootId })]) {
          await store().sessionFlags.raise(raiseOf(tenant, { key: at, at: 1000 }))
        }
        const start = startOf(tenant, { sessionId: 'goes-on' })
        await store().calls.recordWhole(start, settlementOf(start))
        expect(await store().removeOld(tenant, Date.now() - 60_000, 100)).toBe(2)
        const left = await Promise.all(keys.map((at) => store().sessionFlags.read(tenant, at)))
        expect(left.map((flags) => flags.length)).toEqual([0, 1])
      },
    )
  })

  test('events outside of calls are found by the id they were recorded under, in their tenant alone', async () => {
    const tenant = freshTenant()
    const id = createUuid()
    const event = eventOf('call.refused', { tool: 'a.b' }, 1000)
    const principal = { kind: 'key', id: 'k' } as const
    await store().events.record([{ id, tenant, principal, sessionId: 's', events: [event] }])
    const [found, ...more] = await store().events.find(tenant, id)
    expect([found?.type, found?.data, found?.sessionId, more]).toEqual([
      'call.refused',
      { tool: 'a.b' },
      's',
      [],
    ])
    expect((await store().events.read(tenant, { limit: 10 })).items).toEqual([found])
    expect(await store().events.find(freshTenant(), id)).toEqual([])
    expect(await store().events.find(tenant, createUuid())).toEqual([])
    expect(await store().events.find(tenant, "x' or true")).toEqual([])
    const call = startOf(tenant)
    await store().calls.open(call)
    expect(await store().events.find(tenant, call.callId.slice('call_'.length))).toEqual([])
  })
}
