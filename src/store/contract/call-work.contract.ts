import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CallBegin, CallStart } from '../../core/call-log.ts'
import type { Stores } from '../../features/stores.ts'
import type { JobTable } from '../../core/work-ports.ts'
import type { Engine } from '../engine/engine.ts'
import { eventOf, freshTenant, settlementOf, startOf } from './records.ts'

const work = { queue: 'calls', priority: 0 }

function queuedOf(more: Partial<CallStart> = {}): CallStart {
  return startOf(freshTenant(), {
    status: 'queued',
    attempt: 0,
    startedAt: undefined,
    execution: 'background',
    work,
    events: [eventOf('call.requested'), eventOf('call.queued')],
    ...more,
  })
}

/**
 * The contract of every store for calls that run later or wait. `openOther` opens a second node on
 * the same engine, with changes to it.
 */
export function describeCallWork(
  store: () => Stores,
  {
    openOther,
    engine,
  }: { openOther: (changes?: Partial<Engine>) => Promise<Stores>; engine: () => Engine },
): void {
  let other: Stores
  const start = (node: Stores, { tenant, callId }: CallStart, more: Partial<CallBegin> = {}) =>
    node.calls.start(tenant, callId, {
      from: 'queued',
      attempt: 0,
      events: [eventOf('call.started')],
      ...more,
    })
  const requeue = (node: Stores, { tenant, callId }: CallStart, attempt: number) =>
    node.calls.requeue(tenant, callId, {
      attempt,
      work,
      isFailure: false,
      events: [eventOf('call.queued')],
    })
  const wait = ({ tenant, callId }: CallStart, attempt = 1) =>
    store().calls.wait(tenant, callId, {
      attempt,
      waitingFor: 'call',
      events: [eventOf('call.waiting')],
    })
  const findOne = async (call: CallStart) => (await store().calls.findRunnable([call]))[0]
  /** The name a node goes by: that of a call it has opened. */
  const nameOf = async (node: Stores) => {
    const { tenant, callId, ...rest } = startOf(freshTenant())
    await node.calls.open({ tenant, callId, ...rest })
    const row = engine().db.selectFrom('calls').select('node').where('tenant', '=', tenant)
    return (await row.executeTakeFirstOrThrow()).node ?? ''
  }
  /** As if every other node had been silent for long, and this one was seen before its last beat. */
  const claim = async (node: Stores, { callId }: CallStart) => {
    const { db } = engine()
    const id = await nameOf(node)
    await db.deleteFrom('nodes').execute()
    await sql`insert into nodes (id, seen_at) values (${id}, now() - interval '5 s')`.execute(db)
    const orphans = await node.calls.claimOrphans(1000)
    return orphans.find((orphan) => orphan.callId === callId)
  }
  const typesOf = async ({ tenant, callId }: CallStart) => {
    const { items } = await store().events.read(tenant, { limit: 20, callId })
    expect(items.map(({ seq }) => seq)).toEqual(items.map((_, index) => index + 1))
    return items.map(({ type }) => type)
  }

  describe('calls that are run later, or wait', () => {
    beforeAll(async () => {
      other = await openOther()
    })
    afterAll(() => other.close())

    test('a queued call is started once, however many try on however many nodes', async () => {
      const call = queuedOf()
      await store().calls.open(call)
      const nodes = Array.from({ length: 10 }, (_, index) => (index % 2 ? store() : other))
      const wins = await Promise.all(nodes.map((node) => start(node, call)))
      expect(wins.filter(Boolean)).toEqual([{ attempt: 1 }])
      expect(await typesOf(call)).toEqual(['call.requested', 'call.queued', 'call.started'])
      expect(await store().calls.settle(settlementOf(call, { attempt: 1 }))).toBe(true)
      expect(await start(store(), call, { attempt: 1 })).toBeUndefined()
    })

    test('a start whose answer was lost is taken up by the one who tries it again', async () => {
      let isLost = false
      const node = await openOther({
        async run(statement, values) {
          const rows = await engine().run(statement, values)
          if (isLost && statement.name === 'change_calls') throw new Error('connection lost')
          return rows
        },
      })
      const call = queuedOf()
      await node.calls.open(call)
      isLost = true
      await expect(start(node, call)).rejects.toMatchObject({ code: 'store_unavailable' })
      isLost = false
      const tries = await Promise.all([start(node, call), start(node, call), start(store(), call)])
      expect(tries.filter(Boolean)).toEqual([{ attempt: 1 }])
      expect(await start(node, call)).toBeUndefined()
      expect(await typesOf(call)).toEqual(['call.requested', 'call.queued', 'call.started'])
      await node.close()
    })

    test('a call taken over is in the next attempt, and the node before it settles nothing', async () => {
      const call = queuedOf({ isRepeatable: true })
      await store().calls.open(call)
      await start(store(), call)
      expect(await findOne(call)).toMatchObject({ status: 'running', attempt: 1, takeovers: 0 })
      const again = { from: 'running', attempt: 1 } as const
      const wins = await Promise.all([start(other, call, again), start(other, call, again)])
      expect(wins.filter(Boolean)).toEqual([{ attempt: 2 }])
      expect(await findOne(call)).toMatchObject({ status: 'running', attempt: 2, takeovers: 1 })
      expect(await store().calls.settle(settlementOf(call, { attempt: 1 }))).toBe(false)
      expect(await requeue(store(), call, 1)).toBe(false)
      expect(await wait(call, 1)).toBe(false)
      const output = (attempt: number) => ({ events: [eventOf('call.output')], attempt })
      expect(await store().calls.append(call.tenant, call.callId, output(1))).toBe(false)
      expect(await other.calls.append(call.tenant, call.callId, output(2))).toBe(true)
      expect(await other.calls.settle(settlementOf(call, { attempt: 2 }))).toBe(true)
    })

    test('a queued call is never an orphan; an interactive call is, once', async () => {
      const [queued, direct] = [queuedOf(), startOf(freshTenant())]
      await store().calls.open(queued)
      expect(await claim(other, queued)).toBeUndefined()
      await store().calls.open(direct)
      expect(await claim(store(), direct)).toBeUndefined()
      // Not at once if the other node has just shown that it is alive.
      const claimed = { status: 'running', attempt: 1 }
      await expect.poll(() => claim(other, direct)).toMatchObject(claimed)
      expect(await claim(other, direct)).toBeUndefined()
      await expect.poll(() => claim(store(), direct)).toMatchObject(claimed)
    })

    test('a call put back is queued again, with its failures counted', async () => {
      const call = queuedOf({ isRepeatable: true })
      await store().calls.open(call)
      await start(store(), call)
      expect(await requeue(store(), call, 2)).toBe(false)
      expect(await requeue(store(), call, 1)).toBe(true)
      expect(await requeue(store(), call, 1)).toBe(false)
      const late = { events: [eventOf('call.output')], attempt: 1 }
      expect(await store().calls.append(call.tenant, call.callId, late)).toBe(false)
      expect(await findOne(call)).toMatchObject({ status: 'queued', attempt: 1, failures: 0 })
      expect(await start(other, call, { attempt: 1 })).toEqual({ attempt: 2 })
      const failed = { attempt: 2, work, isFailure: true, events: [eventOf('call.queued')] }
      expect(await other.calls.requeue(call.tenant, call.callId, failed)).toBe(true)
      expect(await findOne(call)).toMatchObject({ status: 'queued', attempt: 2, failures: 1 })
      expect((await findOne(call))?.startedAt).toBeUndefined()
    })

    test('a settled, a queued, an unknown and a malformed call are neither put back nor made to wait', async () => {
      const [settled, queued] = [startOf(freshTenant()), queuedOf()]
      await store().calls.recordWhole(settled, settlementOf(settled))
      await store().calls.open(queued)
      const strange = [settled, { ...queued, tenant: freshTenant() }, startOf('nobody')]
      for (const call of [...strange, { ...queued, callId: 'call_zz' }]) {
        expect(await requeue(store(), call, 1)).toBe(false)
        expect(await wait(call)).toBe(false)
      }
      expect(await requeue(store(), queued, 0)).toBe(false)
      expect(await wait(queued, 0)).toBe(false)
    })

    test('a waiting call continues when the last of its calls has ended, once', async () => {
      const parent = startOf(freshTenant())
      const childOf = (position: number) =>
        startOf(parent.tenant, {
          parentId: parent.callId,
          position,
          askedDigest: store().calls.digestInput(['math.add', { b: position, a: 1 }]),
        })
      const children = [childOf(0), childOf(1)]
      for (const call of [parent, ...children]) await store().calls.open(call)
      expect(await wait(parent)).toBe(true)
      expect(await store().calls.find(parent.tenant, parent.callId)).toMatchObject({
        status: 'waiting',
        waitingFor: 'call',
      })
      for (const child of children) {
        expect(await store().calls.releaseParents(1000)).toBe(0)
        await store().calls.settle(settlementOf(child))
      }
      const released = await Promise.all(
        [store(), other, store()].map((node) => node.calls.releaseParents(1000)),
      )
      expect(released.reduce((sum, count) => sum + count, 0)).toBe(1)
      expect(await findOne(parent)).toMatchObject({
        status: 'queued',
        hasWaited: true,
        work: { queue: 'calls', priority: 0 },
      })
      const made = await store().calls.listChildren(parent.tenant, parent.callId)
      const asked = (b: number) => other.calls.digestInput(['math.add', { a: 1, b }])
      expect(
        made.map(({ position, status, askedDigest }) => [position, status, askedDigest]),
      ).toEqual([
        [0, 'completed', asked(0)],
        [1, 'completed', asked(1)],
      ])
    })

    test('a settlement is held to the status and the token it names', async () => {
      const call = queuedOf({ execution: 'external' })
      await store().calls.open(call)
      await start(store(), call, { tokenHash: 'right' })
      const settle = (more: object) => store().calls.settle(settlementOf(call, more))
      expect(await settle({ from: 'waiting' })).toBe(false)
      expect(await settle({ tokenHash: 'wrong' })).toBe(false)
      expect(await settle({ from: 'running', tokenHash: 'right' })).toBe(true)
    })

    test('a call that waits past its deadline is found, a running one is not', async () => {
      const [late, early, runs] = [
        startOf(freshTenant()),
        startOf(freshTenant()),
        startOf(freshTenant()),
      ]
      for (const call of [late, early, runs]) await store().calls.open(call)
      for (const [call, deadlineAt] of [
        [late, 5],
        [early, Date.now() + 60_000],
      ] as const) {
        const events = [eventOf('call.waiting')]
        const to = { attempt: 1, waitingFor: 'external' as const, deadlineAt, events }
        await store().calls.wait(call.tenant, call.callId, to)
      }
      const overdue = await store().calls.findOverdue(1000)
      const ids = new Set(overdue.map(({ callId }) => callId))
      expect([late, early, runs].map(({ callId }) => ids.has(callId))).toEqual([true, false, false])
      await store().calls.settle(settlementOf(late, { from: 'waiting' }))
      const after = await store().calls.findOverdue(1000)
      expect(after.some(({ callId }) => callId === late.callId)).toBe(false)
    })

    test('an input that held a secret is kept sealed for the run, and only for that', async () => {
      const call = queuedOf({ input: { pin: '[redacted]' }, rawInput: { pin: 'pin-4711' } })
      await store().calls.open(call)
      expect(await findOne(call)).toMatchObject({ input: call.input, rawInput: call.rawInput })
      const { calls } = store()
      expect(await calls.findWithInput(call.tenant, call.callId)).toMatchObject({
        rawInput: call.rawInput,
      })
      expect(await calls.findWithInput('somebody-else', call.callId)).toBeUndefined()
      // Whole: ids and times have any four digits now and then.
      expect(JSON.stringify(await store().calls.find(call.tenant, call.callId))).not.toContain(
        'pin-4711',
      )
      const rows = await engine()
        .db.selectFrom('calls')
        .selectAll()
        .where('tenant', '=', call.tenant)
        .execute()
      expect(JSON.stringify(rows)).not.toContain('pin-4711')
    })

    test('a call and its job are written together or not at all', async () => {
      const node = await openOther()
      const added: string[] = []
      let isRefused = false
      const table: JobTable = {
        async add(jobs, db) {
          for (const { callId } of jobs) added.push(callId)
          await db.executeSql('select $1::text', ['in the same transaction'])
          if (isRefused) throw new Error('no room for jobs')
        },
        remove: async (jobs) => void added.push(...jobs.map(({ callId }) => `-${callId}`)),
      }
      node.jobs?.connect(table)
      const [kept, refused, direct] = [queuedOf(), queuedOf(), startOf(freshTenant())]
      await node.calls.open(kept)
      await node.calls.open(direct)
      expect(added).toEqual([kept.callId])
      isRefused = true
      await expect(node.calls.open(refused)).rejects.toMatchObject({ code: 'store_unavailable' })
      expect(await node.calls.find(refused.tenant, refused.callId)).toBeUndefined()
      await start(node, kept)
      await node.calls.settle(settlementOf(kept, { attempt: 1, hadJob: true }))
      expect(added.at(-1)).toBe(`-${kept.callId}`)
      await node.close()
    })
  })
}
