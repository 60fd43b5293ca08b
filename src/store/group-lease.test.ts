import { expect, test } from 'vitest'
import { createId } from '../core/kernel/ids.ts'
import { freshTenant } from './contract/records.ts'
import { createTempDatabase } from './contract/temp-store.ts'
import { createGroupStore } from './groups.ts'
import { openEngine } from './open-store.ts'

test('a node that takes the time for later than it is takes no lease early', async () => {
  const database = await createTempDatabase()
  const engine = await openEngine({ kind: 'postgres', url: database.url }, () => {})
  // Nothing of a group is sealed.
  const inputs = { seal: () => '', open: () => null }
  const right = createGroupStore(engine, inputs)
  const ahead = createGroupStore({ ...engine, now: () => engine.now() + 3_600_000 }, inputs)
  const [tenant, groupId] = [freshTenant(), createId('group')]
  await right.create({ tenant, groupId, continuation: { kind: 'turn', data: null } })
  expect(await right.hold(tenant, groupId, 60_000)).toEqual({ attempt: 1 })
  await right.seal(tenant, groupId)
  const query = { kinds: ['turn'], leaseMs: 60_000, limit: 10 }
  expect(await ahead.hold(tenant, groupId, 60_000)).toBeUndefined()
  expect(await ahead.claim(query)).toEqual([])
  // Nor does it keep one longer than the stated time.
  expect(await ahead.keep(tenant, groupId, { attempt: 1, ms: 1 })).toBe(true)
  await expect.poll(() => right.claim(query)).toHaveLength(1)
  await engine.close()
  await database.drop()
})
