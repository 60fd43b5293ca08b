import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../core/define-tool.ts'
import type { Caller } from '../../core/kernel/call.ts'
import { createTestCrib } from '../../testing/index.ts'
import { ownerOf } from '../owner.ts'

const find = defineTool({
  name: 'crm.find',
  description: 'Finds somebody.',
  effect: 'read',
  inputSchema: z.object({ id: z.int() }),
  outputSchema: z.object({ name: z.string() }),
  execute: () => ({ name: 'Ann' }),
})

test('an agent that writes programs is offered one tool with the types of the others', async () => {
  const agents = [
    {
      slug: 'coder',
      model: 'demo',
      toolMode: 'code' as const,
      tools: { allow: ['code.run', 'crm.*'] },
    },
    { slug: 'other', model: 'demo', toolMode: 'code' as const, tools: { allow: ['crm.*'] } },
  ]
  const crib = await createTestCrib({
    tools: [find],
    config: { tools: [], packs: { code: true }, agents },
  })
  const offerTo = (agent: string) => {
    const caller: Caller = { ...ownerOf(), agent, runtime: 'chat' }
    return crib.api.offer(caller)
  }
  const offer = await offerTo('coder')
  expect(offer.tools.map(({ name }) => name)).toEqual(['code.run'])
  expect(JSON.stringify(offer.tools[0]?.inputSchema)).toContain('tools.crm.find(input: {')
  expect(offer.find('crm.find')?.name).toBe('crm.find')
  // The same object while nothing changes, so that what is made of it can be kept.
  expect(await offerTo('coder')).toBe(offer)
  expect((await offerTo('other')).tools.map(({ name }) => name)).toEqual(['crm.find'])
  await crib.close()
})
