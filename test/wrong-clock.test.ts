import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createCrib, type Crib, defineTool, z } from '../src/app/index.ts'
import type { Completion } from '../src/core/kernel/call.ts'
import { settingsFor } from '../src/store/contract/records.ts'
import {
  createTempDatabase,
  createTempFolder,
  type TempDatabase,
} from '../src/store/contract/temp-store.ts'
import { withClock } from '../src/store/contract/shift-clock.ts'
import { openStores, type OpenStores } from '../src/features/open-stores.ts'
import { variants } from './setup/run-length.ts'

const hour = 3_600_000
const day = 24 * hour
const owner = {
  tenant: 'default',
  principal: { kind: 'user', id: 'owner' },
  permissions: ['*'],
  runtime: 'api',
} as const
const asked = {
  description: 'Somebody has to say yes to it.',
  effect: 'write',
  approval: 'always',
  inputSchema: z.object({ text: z.string() }),
  execute: () => 'done',
} as const
const handed = new Map<string, Completion>()
const tools = [
  defineTool({ ...asked, name: 'letter.send' }),
  defineTool({ ...asked, name: 'letter.soon' }),
  defineTool({
    name: 'outside.work',
    description: 'Is completed from outside.',
    effect: 'write',
    execution: 'external',
    completionMs: 600_000,
    inputSchema: z.object({ text: z.string() }),
    execute({ text }, { completion }) {
      if (completion !== undefined) handed.set(text, completion)
    },
  }),
  defineTool({
    name: 'paid.call',
    description: 'Costs all there is for a day.',
    effect: 'read',
    cost: 5,
    inputSchema: z.object({}),
    execute: () => 'done',
  }),
  defineTool({
    name: 'plain.read',
    description: 'Costs nothing.',
    effect: 'read',
    inputSchema: z.object({}),
    execute: () => 'done',
  }),
]
const config = {
  tools: [],
  approvals: { expiresIn: '10m', rules: [{ tools: ['letter.soon'], expiresIn: '1s' }] },
}

/** A node on a database server, which has the right time. */
describe('on a node whose clock is wrong', () => {
  let database: TempDatabase
  let store: OpenStores
  let folder: Awaited<ReturnType<typeof createTempFolder>>
  let crib: Crib
  let text = ''
  beforeAll(async () => {
    database = await createTempDatabase()
    store = await openStores({ kind: 'postgres', url: database.url }, settingsFor())
    const quiet = { env: {}, onWarning: () => undefined }
    folder = await createTempFolder()
    crib = await createCrib({ tools, config, store, data: folder.path, ...quiet })
  })
  afterAll(async () => {
    await crib.close()
    await store.close()
    await database.drop()
    await folder.remove()
  })
  beforeEach(({ task }) => void (text = task.id))

  const ask = async (tool = 'letter.send') => {
    const { callId = '', approvalId = '', status } = await crib.call(tool, { text })
    return { callId, approvalId, status }
  }
  const find = (callId: string) => crib.api.findCall(owner, { id: callId })
  /** Everything that is over was looked for, and ended: a call that waits for a second alone has expired. */
  const untilSwept = async () => {
    const { callId } = await ask('letter.soon')
    await expect.poll(async () => (await find(callId)).error?.code).toBe('approval_expired')
  }
  const approve = (approvalId: string, remember?: { for: string }) =>
    crib.api.decideApproval(owner, { id: approvalId, decision: 'approve', remember })

  test.each(variants([hour], [-hour]))(
    'an approval waits as long as it was given (%i ms off)',
    async (off) => {
      const before = await ask()
      const within = await withClock(off, async () => {
        const made = await ask()
        await untilSwept()
        return made
      })
      await untilSwept()
      for (const { approvalId, callId } of [before, within]) {
        expect(await find(callId)).toMatchObject({ status: 'waiting' })
        expect(await approve(approvalId)).toMatchObject({ status: 'approved' })
      }
    },
  )

  test('a remembered yes holds as long as it was given', async () => {
    await withClock(-hour, async () => approve((await ask()).approvalId, { for: '30m' }))
    expect(await ask()).toMatchObject({ status: 'completed' })
    await withClock(hour, async () => {
      expect(await ask()).toMatchObject({ status: 'completed' })
      expect((await crib.api.listApprovalRules(owner)).items).toHaveLength(1)
    })
  })

  test('work outside has as long as it was given', async () => {
    const calls = []
    for (const off of [0, -hour]) {
      const job = `${text} ${off}`
      const callId = await withClock(off, async () => {
        const { callId: id = '' } = await crib.call('outside.work', { text: job })
        await expect.poll(async () => (await find(id)).status).toBe('waiting')
        return id
      })
      calls.push({ callId, token: handed.get(job)?.token ?? '' })
    }
    await withClock(hour, untilSwept)
    await untilSwept()
    for (const { callId, token } of calls) {
      const read = async () => ({ status: 'completed' as const, response: 'done' })
      expect(await crib.api.complete(callId, token, read)).toMatchObject({ accepted: true })
    }
  })

  test('a day of a budget is the day of the database', async () => {
    await crib.api.writeLimit(owner, {
      name: 'money',
      of: 'tool',
      match: 'paid.call',
      costPerDay: 5,
    })
    expect(await crib.call('paid.call', {})).toMatchObject({ status: 'completed' })
    for (const off of [day, -day, hour, -hour]) {
      const refused = await withClock(off, () => crib.call('paid.call', {}))
      expect(refused).toMatchObject({ error: { code: 'budget_exceeded' } })
      const midnight = new Date(store.now()).setUTCHours(24, 0, 0, 0)
      const until = store.now() + (refused.error?.retryAfterMs ?? 0)
      expect(Math.abs(until - midnight)).toBeLessThan(60_000)
    }
  })

  test('a call that was put off comes when it is due', async () => {
    for (const off of [hour, -hour]) {
      await withClock(off, async () => {
        const put = (delay: number) => crib.call('plain.read', {}, { delay })
        const [soon, later] = [await put(1), await put(600)]
        const statusOf = async ({ callId = '' }) => (await find(callId)).status
        await expect.poll(() => statusOf(soon)).toBe('completed')
        expect(await statusOf(later)).toBe('queued')
      })
    }
  })

  test('the audit log has the times of the database', async () => {
    const before = store.now()
    const limit = { name: 'dated', of: 'tool', match: 'plain.read', callsPerMinute: 1000 } as const
    await withClock(-day, () => crib.api.writeLimit(owner, limit))
    await withClock(day, async () => {
      await crib.api.createKey(owner, { name: 'dated', scopes: ['tools.call'] })
      await crib.api.deleteLimit(owner, { name: limit.name })
    })
    const { items } = await crib.api.listAudit(owner, { from: new Date(before).toISOString() })
    const types = items.map(({ type }) => type)
    expect(types).toEqual(expect.arrayContaining(['key.created', 'policy.changed']))
    for (const { at } of items) expect(Date.parse(at)).toBeLessThanOrEqual(store.now())
  })

  test('the times of a call are those of the database, and it takes no hour', async () => {
    const before = store.now()
    const { callId = '' } = await withClock(hour, () => crib.call('plain.read', {}))
    const { requestedAt, settledAt = '' } = await find(callId)
    const times = [before, Date.parse(requestedAt), Date.parse(settledAt), store.now()]
    expect(times.toSorted((left, right) => left - right)).toEqual(times)
  })
})
