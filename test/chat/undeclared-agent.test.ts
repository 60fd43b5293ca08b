import { expect, onTestFinished, test } from 'vitest'
import { createTestCrib } from '../../src/testing/index.ts'
import { freshStore } from '../../src/testing/fresh-store.fixture.ts'
import { fakeModel, startFakeModel } from './fake-model.ts'
import { createDoings, owner } from './open-chat.ts'

const soon = { timeout: 60_000 }

/** A turn that waits for a person, and then a server whose configuration has its agent no more. */
async function takeOut(expiresIn = '1h') {
  const model = await startFakeModel((_, number) =>
    number === 1 ? { calls: [{ name: 'test_pay', input: { n: 1 } }] } : { text: 'fine' },
  )
  const store = await freshStore()
  const { tools, done } = createDoings()
  const agent = { slug: 'temp', model: fakeModel, tools: { allow: ['*'] } }
  const warnings: string[] = []
  const open = async (agents: readonly object[]) => {
    const { models } = model.config
    const config = { models, agents, approvals: { expiresIn } } as never
    const onWarning = (message: string) => void warnings.push(message)
    const crib = await createTestCrib({ store, tools, config, onWarning })
    const find = () => crib.api.findRun(owner, { id })
    return { ...crib, find }
  }
  let id = ''
  const first = await open([agent])
  id = (await first.api.startRun(owner, { slug: 'temp', prompt: 'go' })).id
  await expect.poll(async () => (await first.find()).status, soon).toBe('waiting')
  const [approval] = (await first.find()).waiting ?? []
  await first.close()
  expect(warnings).toEqual([])
  const without = await open([])
  onTestFinished(async () => {
    await without.close()
    await model.close()
  })
  const cribs = { without, openAgain: () => open([agent]) }
  return { ...cribs, turnId: id, approvalId: approval?.id ?? '', done, warnings }
}

test('a server warns at its start of turns whose agent is no longer declared', async () => {
  const { turnId, warnings } = await takeOut()
  expect(warnings).toEqual([expect.stringMatching(`temp is no longer declared.*${turnId}`)])
})

test('a turn whose agent is taken out waits until it is back: till then nothing of it runs', async () => {
  const { without, openAgain, approvalId, done } = await takeOut()
  const refused = without.api.decideApproval(owner, { id: approvalId, decision: 'approve' })
  await expect(refused).rejects.toThrow('There is no agent "temp" in this tenant')
  await without.close()
  const again = await openAgain()
  await again.api.decideApproval(owner, { id: approvalId, decision: 'approve' })
  await expect.poll(async () => (await again.find()).status, soon).toBe('completed')
  expect(done).toEqual([['pay', 1]])
  await again.close()
})

test.each(['is rejected', 'runs out', 'is called off'] as const)(
  'it ends, with the reason, once what it waits for %s',
  async (how) => {
    const { without, approvalId, turnId, done } = await takeOut(how === 'runs out' ? '2s' : '1h')
    if (how === 'is rejected') {
      await without.api.decideApproval(owner, { id: approvalId, decision: 'reject' })
    }
    if (how === 'is called off') await without.api.cancelRun(owner, { id: turnId })
    await expect.poll(async () => (await without.find()).settledAt, soon).toBeDefined()
    const { error } = await without.find()
    expect(error).toMatchObject({
      code: how === 'is called off' ? 'cancelled' : 'not_found',
      message: 'There is no agent "temp" any more',
    })
    const { items } = await without.api.listApprovals(owner, { status: 'pending', limit: 5 })
    expect([items, done]).toEqual([[], []])
  },
)
