import { expect, onTestFinished, test } from 'vitest'
import { defineTool, z } from '../../src/app/index.ts'
import { createTestCrib } from '../../src/testing/index.ts'
import { freshStore } from '../../src/testing/fresh-store.fixture.ts'
import { fakeModel, startFakeModel } from './fake-model.ts'
import { owner } from './open-chat.ts'

const soon = { timeout: 60_000 }

test('a conversation calls a tool by the name it had, also when a tool of that name has come', async () => {
  const done: string[] = []
  const tool = (name: string) =>
    defineTool({
      name,
      description: 'Says its name.',
      effect: 'write',
      inputSchema: z.object({}),
      execute: () => void done.push(name),
    })
  const model = await startFakeModel((_request, number) =>
    number % 2 === 1 ? { calls: [{ name: 'c_x_y', input: {} }] } : { text: 'done' },
  )
  onTestFinished(() => model.close())
  const store = await freshStore()
  const agents = [{ slug: 'helper', model: fakeModel, tools: { allow: ['*'] } }]
  const say = async (names: readonly string[], conversationId?: string) => {
    const config = { models: model.config.models, agents } as never
    const crib = await createTestCrib({ store, config, tools: names.map(tool) })
    const run = await crib.api.startRun(owner, { slug: 'helper', prompt: 'go', conversationId })
    await expect
      .poll(async () => (await crib.api.findRun(owner, { id: run.id })).status, soon)
      .toBe('completed')
    await crib.close()
    return run.conversationId
  }
  const old = await say(['c.x_y'])
  await say(['c.x_y', 'c_x_y'], old)
  await say(['c.x_y', 'c_x_y'])
  // Its tool is gone: the name is nobody else's in this conversation.
  await say(['c_x_y'], old)
  expect(done).toEqual(['c.x_y', 'c.x_y', 'c_x_y'])
})
