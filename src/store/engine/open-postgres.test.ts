import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Stores } from '../../features/stores.ts'
import { startChild } from '../contract/child.ts'
import { eventOf, freshTenant, settingsFor, settlementOf, startOf } from '../contract/records.ts'
import { createEmptyDatabase, createTempDatabase, testServerUrl } from '../contract/temp-store.ts'
import { openEngine } from '../open-store.ts'
import { openStores } from '../../features/open-stores.ts'

let database: Awaited<ReturnType<typeof createTempDatabase>>
const open: Stores[] = []
// So patient that a busy machine neither cuts a node off nor makes it look dead.
const openNode = async (nodeTimeoutMs = 60_000) => {
  const store = await openStores(
    { kind: 'postgres', url: database.url },
    { ...settingsFor(), nodeTimeoutMs },
  )
  open.push(store)
  return store
}
beforeAll(async () => {
  database = await createTempDatabase()
})
afterAll(async () => {
  await Promise.all(open.map((store) => store.close()))
  await database.drop()
})

test('nodes that start together on an empty database migrate it once', async () => {
  const empty = await createEmptyDatabase()
  const location = { kind: 'postgres', url: empty.url } as const
  const stores = await Promise.all(
    Array.from({ length: 4 }, () => openStores(location, settingsFor())),
  )
  await Promise.all(stores.map((store) => store.ping()))
  const { key, token } = await stores[0]!.keys.create({ tenant: 't', name: 'k', scopes: [] })
  expect(await stores[3]!.keys.verify(token)).toEqual(key)
  await Promise.all(stores.map((store) => store.close()))
  await empty.drop()
})

test('a reader misses nothing and sees nothing twice while twelve writers on two nodes commit', async () => {
  const [first, second] = await Promise.all([openNode(), openNode()])
  const tenant = freshTenant()
  let isDone = false
  const written: string[] = []
  const writer = async (store: Stores) => {
    for (let round = 0; round < 60; round++) {
      const start = startOf(tenant)
      await store.calls.open(start)
      await store.calls.append(tenant, start.callId, { events: [eventOf('call.output', round)] })
      await store.calls.settle(settlementOf(start))
      written.push(start.callId)
    }
  }
  const read: string[] = []
  const order = new Map<string, number>()
  const reader = async () => {
    let after: string | undefined
    for (;;) {
      const wasDone = isDone
      const page = await second.events.read(tenant, { limit: 50, after })
      for (const { callId = '', seq } of page.items) {
        read.push(`${callId} ${seq}`)
        expect(seq).toBe((order.get(callId) ?? 0) + 1)
        order.set(callId, seq)
      }
      after = page.next
      if (wasDone && !page.hasMore && page.items.length === 0) return
    }
  }
  const reading = reader()
  await Promise.all(Array.from({ length: 12 }, (_, index) => writer(index % 2 ? first : second)))
  isDone = true
  await reading
  expect(read.toSorted()).toEqual(
    written.flatMap((id) => [1, 2, 3, 4].map((seq) => `${id} ${seq}`)).toSorted(),
  )
})

test('nodes that race to settle the same calls settle each once, without deadlock and without gaps', async () => {
  const nodes = await Promise.all([openNode(), openNode(), openNode()])
  const tenant = freshTenant()
  const starts = Array.from({ length: 60 }, () => startOf(tenant))
  await Promise.all(starts.map((start) => nodes[0].calls.open(start)))
  const races = nodes.flatMap((node, turn) =>
    starts
      .toSorted(() => Math.random() - 0.5)
      .flatMap((start) => [
        node.calls
          .append(tenant, start.callId, { events: [eventOf('call.output', turn)] })
          .then(() => 0),
        node.calls
          .settle(settlementOf(start, { status: turn ? 'failed' : 'completed' }))
          .then(Number),
      ]),
  )
  expect((await Promise.all(races)).reduce((sum, won) => sum + won, 0)).toBe(starts.length)
  for (const { callId } of starts) {
    const { items } = await nodes[1].events.read(tenant, { limit: 20, callId })
    expect(items.map(({ seq }) => seq)).toEqual(items.map((_, index) => index + 1))
    expect(items.filter(({ type }) => type === 'call.completed')).toHaveLength(1)
  }
})

test('one idempotency key on three nodes at once opens one call', async () => {
  const nodes = await Promise.all([openNode(), openNode(), openNode()])
  for (let round = 0; round < 20; round++) {
    const tenant = freshTenant()
    const keys = ['a', 'b', 'c', 'd']
    const results = await Promise.all(
      nodes.flatMap((node, turn) =>
        (turn % 2 ? keys : keys.toReversed()).map((idempotencyKey) =>
          node.calls.open(startOf(tenant, { idempotencyKey })),
        ),
      ),
    )
    expect(results.filter(({ kind }) => kind === 'opened')).toHaveLength(keys.length)
    expect(results.filter(({ kind }) => kind === 'existing')).toHaveLength(keys.length * 2)
  }
})

test('the calls of a killed node are handed out once when it was silent long enough', async () => {
  const tenant = freshTenant()
  const location = JSON.stringify({ kind: 'postgres', url: database.url })
  const child = startChild('write-calls.ts', [location, tenant])
  await child.printed(300)
  child.process.kill('SIGKILL')
  await child.ended
  const [first, second] = await Promise.all([openNode(600), openNode(600)])
  const settled = child.lines
    .filter((line) => line.startsWith('settled'))
    .map((line) => line.split(' ')[1] ?? '')
  for (const callId of settled)
    expect((await first.calls.find(tenant, callId))?.status).toBe('completed')
  // The child's own timeout is the default; a reader with a shorter one decides sooner.
  const unsettled = (await first.calls.list(tenant, { limit: 100, status: 'running' })).items
  const orphans: string[] = []
  const claim = async () => {
    const claims = await Promise.all([first, second].map((node) => node.calls.claimOrphans(100)))
    const own = claims.flat().filter((call) => call.tenant === tenant)
    orphans.push(...own.map(({ callId }) => callId))
    return orphans.toSorted()
  }
  await expect.poll(claim).toEqual(unsettled.map(({ callId }) => callId).toSorted())
})

const claimOf = async (node: Stores, call: string) =>
  (await node.calls.claimOrphans(1000)).filter(({ callId }) => callId === call)

test('a living node keeps its calls', async () => {
  // Long enough that a busy machine does not make the living one look dead.
  const [first, second] = await Promise.all([openNode(12_000), openNode(12_000)])
  const start = startOf(freshTenant())
  await first.calls.open(start)
  await sleep(12_200)
  expect(await claimOf(second, start.callId)).toEqual([])
})

test('a node that closed gives its calls up at once', async () => {
  // They are so patient that only its goodbye can be the reason.
  const [first, second] = await Promise.all([openNode(), openNode()])
  const start = startOf(freshTenant())
  await first.calls.open(start)
  await first.close()
  expect(await claimOf(second, start.callId)).toHaveLength(1)
})

test('a write on one node wakes the readers of another, and a revoked or rotated key stops there at once', async () => {
  const [first, second] = await Promise.all([openNode(), openNode()])
  const wokenAfterMs = async () => {
    const woken = Promise.withResolvers<void>()
    const from = performance.now()
    const stop = second.events.watch(woken.resolve)
    await first.calls.open(startOf(freshTenant()))
    await woken.promise
    stop()
    return performance.now() - from
  }
  // From here on its next poll is a second away. The best of several: the machine may be busy.
  let bestMs = Infinity
  await wokenAfterMs()
  for (let round = 0; round < 20 && bestMs >= 500; round += 1) {
    bestMs = Math.min(bestMs, await wokenAfterMs())
  }
  expect(bestMs).toBeLessThan(500)
  const { key, token } = await first.keys.create({ tenant: 't', name: 'k', scopes: [] })
  /** Verified there a moment ago, so that only word of the change makes it look again. */
  const stopsAfter = async (given: string, change: () => Promise<unknown>) => {
    expect(await second.keys.verify(given)).toMatchObject({ id: key.id })
    const told = Promise.withResolvers<void>()
    const unwatch = second.rules.watch(told.resolve)
    expect(await second.keys.verify(given)).toMatchObject({ id: key.id })
    await change()
    await told.promise
    unwatch()
    expect(await second.keys.verify(given)).toBeUndefined()
  }
  let rotated: { token: string } | undefined
  await stopsAfter(token, async () => (rotated = await first.keys.rotate('t', key.id, {})))
  await stopsAfter(rotated?.token ?? '', () => first.keys.revoke('t', key.id))
})

test('a transaction in another database of the server does not hold readers back, one in this database does', async () => {
  const store = await openNode()
  const tenant = freshTenant()
  const elsewhere = new pg.Client({ connectionString: testServerUrl() })
  const here = new pg.Client({ connectionString: database.url })
  await Promise.all([elsewhere.connect(), here.connect()])
  const count = async () => (await store.events.read(tenant, { limit: 10 })).items.length
  await elsewhere.query('begin')
  await elsewhere.query('select pg_current_xact_id()')
  await store.calls.open(startOf(tenant))
  expect(await count()).toBe(2)
  await here.query('begin')
  await here.query('select pg_current_xact_id()')
  await store.calls.open(startOf(tenant))
  expect(await count()).toBe(2)
  await here.query('commit')
  expect(await count()).toBe(4)
  await Promise.all([elsewhere.end(), here.end()])
})

test('lost connections are replaced', async () => {
  const store = await openNode()
  const start = startOf(freshTenant())
  await store.calls.open(start)
  const killer = new pg.Client({ connectionString: database.url })
  await killer.connect()
  await killer.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`)
  await killer.end()
  // A query sent before the pool has noticed the loss fails with an error.
  await vi.waitFor(() => store.ping(), 20_000)
  expect(await store.calls.settle(settlementOf(start))).toBe(true)
  const woken = Promise.withResolvers<void>()
  store.events.watch(() => woken.resolve())
  await woken.promise
})

test('a transaction that continues after an error fails and leaves nothing of itself', async () => {
  const engine = await openEngine({ kind: 'postgres', url: database.url }, () => {})
  const lost = engine.transact(async ({ executeSql }) => {
    await executeSql(`insert into tenants (slug, name) values ('lost', 'x')`)
    await executeSql('select 1 / 0').catch(() => {})
  })
  await expect(lost).rejects.toMatchObject({ code: '25P02' })
  const { rows } = await engine.sql.executeSql(`select slug from tenants where slug = 'lost'`)
  expect(rows).toEqual([])
  await engine.close()
})

test('a connection that breaks between the statements of a transaction fails that transaction and nothing else', async () => {
  const engine = await openEngine({ kind: 'postgres', url: database.url }, () => {})
  const killer = new pg.Client({ connectionString: database.url })
  await killer.connect()
  const stray: unknown[] = []
  const onStray = (error: unknown) => void stray.push(error)
  process.on('uncaughtException', onStray)
  const broken = engine.transact(async ({ executeSql }) => {
    const { rows } = await executeSql('select pg_backend_pid() as pid')
    await killer.query('select pg_terminate_backend($1, 20000)', [rows[0]?.['pid']])
    return executeSql('select 1')
  })
  await expect(broken).rejects.toThrow(/connection/i)
  process.off('uncaughtException', onStray)
  const { rows } = await engine.transact(({ executeSql }) => executeSql('select 1 as one'))
  expect([stray, rows]).toEqual([[], [{ one: 1 }]])
  await Promise.all([killer.end(), engine.close()])
})

test('events of a restored database keep their places and new ones come after them', async () => {
  const other = await createTempDatabase()
  const location = { kind: 'postgres', url: other.url } as const
  const first = await openStores(location, settingsFor())
  const start = startOf(freshTenant())
  await first.calls.open(start)
  await first.close()
  // As after a restore into a cluster that has not counted as far.
  const engine = await openEngine(location, () => {})
  await sql`update events set xid = '9000000000000'`.execute(engine.db)
  await sql`update calls set xid = '9000000000000'`.execute(engine.db)
  await engine.close()
  const second = await openStores(location, settingsFor())
  const old = await second.events.read(start.tenant, { limit: 10 })
  expect(old.items).toHaveLength(2)
  await second.calls.settle(settlementOf(start))
  const page = await second.events.read(start.tenant, { limit: 10, after: old.next })
  expect(page.items.map(({ seq, type }) => [seq, type])).toEqual([[3, 'call.completed']])
  await second.close()
  await other.drop()
})

test('a missing server is reported as missing', async () => {
  const location = { kind: 'postgres', url: 'postgres://nobody:secret@127.0.0.1:1/none' } as const
  const failure = await openStores(location, settingsFor()).catch((error: unknown) => error)
  expect(failure).toMatchObject({ code: 'store_unavailable' })
  expect(String(failure)).not.toContain('secret')
})

test('a connection that breaks within a transaction fails that transaction and nothing else', async () => {
  const strays: unknown[] = []
  const note = (error: unknown) => strays.push(error)
  process.on('uncaughtException', note)
  const engine = await openEngine({ kind: 'postgres', url: database.url }, () => undefined)
  const broken = engine.transact(async ({ executeSql }) => {
    const { rows } = await executeSql('select pg_backend_pid() as pid')
    // No statement is running that could report the break.
    await engine.sql.executeSql('select pg_terminate_backend($1, 20000)', [rows[0]?.['pid']])
    return executeSql('select 1')
  })
  await expect(broken).rejects.toThrow(/connection/i)
  const { rows } = await engine.sql.executeSql('select 1 as one')
  await engine.close()
  process.off('uncaughtException', note)
  expect([rows, strays]).toEqual([[{ one: 1 }], []])
})
