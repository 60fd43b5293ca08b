import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createId } from '../core/kernel/ids.ts'
import { freshTenant, settingsFor } from './contract/records.ts'
import { createTempDatabase } from './contract/temp-store.ts'
import { openEngine } from './open-store.ts'
import { openStores } from '../features/open-stores.ts'

test('a group whose events another node records while it continues is read in order, with nothing left out', async () => {
  const database = await createTempDatabase()
  const location = { kind: 'postgres', url: database.url } as const
  const [first, second] = [
    await openStores(location, settingsFor()),
    await openStores(location, settingsFor()),
  ]
  // The mark has its transaction number long before its events are written.
  const engine = await openEngine(location, () => {})
  await sql`create function linger() returns trigger language plpgsql as $$
    begin perform pg_current_xact_id(); perform pg_sleep(0.3); return new; end $$`.execute(
    engine.db,
  )
  await sql`create trigger linger before update on groups for each row
    when (new.continued_ms is not null) execute function linger()`.execute(engine.db)
  const [tenant, groupId] = [freshTenant(), createId('group')]
  await first.groups.create({ tenant, groupId, continuation: { kind: 'turn', data: null } })
  const held = await first.groups.hold(tenant, groupId, 10_000)
  await first.groups.seal(tenant, groupId)
  const finished = first.groups.finish(tenant, groupId, held?.attempt ?? 0)
  await sleep(100)
  await second.groups.announceSettled(10)
  expect(await finished).toBe(true)
  const { items } = await second.events.read(tenant, { limit: 10 })
  expect(items.map(({ seq, type }) => [seq, type])).toEqual([
    [1, 'group.sealed'],
    [2, 'group.settled'],
    [3, 'group.continued'],
  ])
  await Promise.all([first.close(), second.close(), engine.close()])
  await database.drop()
})
