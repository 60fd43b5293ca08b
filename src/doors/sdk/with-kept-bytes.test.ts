import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { Crib } from '../../app/crib.ts'
import { ownerOf } from '../../app/owner.ts'
import { contentOutput } from '../../core/kernel/content.ts'
import { defineTool } from '../../core/define-tool.ts'
import type { ToolPort } from '../../core/offer/tool-port.ts'
import { createHttpApp } from '../http/create-http-app.ts'
import { createTestCrib } from '../../testing/create-test-crib.ts'
import { toAnthropic } from './adapters/to-anthropic.ts'
import { connectCrib } from './connect-crib.ts'
import { createToolSet } from './create-tool-set.ts'

/** More than one page of it, and more than fits in a record. */
const data = Buffer.alloc(2_500_000, 'picture').toString('base64')
let crib: Crib
let there: ToolPort
beforeAll(async () => {
  const draw = defineTool({
    name: 'chart.draw',
    description: 'Draws a large chart.',
    effect: 'read',
    inputSchema: z.object({}),
    execute: () =>
      contentOutput([
        { type: 'text', text: 'Sales' },
        { type: 'image', data, mimeType: 'image/png' },
      ]),
  })
  crib = await createTestCrib({ tools: [draw] })
  const { token } = await crib.api.createKey(ownerOf(), { name: 'far', scopes: ['tools.call'] })
  const app = createHttpApp({ api: crib.api, version: '0', onFault: () => undefined })
  const fetch: typeof globalThis.fetch = async (input, init) => app.request(input, init)
  there = connectCrib({ url: 'http://crib.test', key: token, fetch }).port()
})
afterAll(() => crib.close())

async function drawn(port: ToolPort) {
  const { run } = await toAnthropic(port)
  const content = [{ type: 'tool_use', id: 'a', name: 'chart_draw', input: {} }]
  return (await run({ content })).items[0]?.content
}

const text = { type: 'text', text: 'Sales' }

test('a stored picture reaches the model whole, here and from elsewhere', async () => {
  const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } }
  expect(await drawn(crib.port())).toEqual([text, picture])
  expect(await drawn(there)).toEqual([text, picture])
})

test('the AI SDK gets it, too', async () => {
  const { tools } = await createToolSet(there)
  const execute = tools['chart_draw']?.execute
  const output = await execute?.({}, { toolCallId: 'a', messages: [], context: {} })
  expect(output).toEqual({ $content: [text, { type: 'image', data, mimeType: 'image/png' }] })
})

test('missing bytes are mentioned in words, and end nothing', async () => {
  const lost = { ...crib.port(), readArtifact: () => Promise.reject(new Error('gone')) }
  const words = /^\[image\/png, 2500000 bytes: not shown here, kept with call_\w+\]$/
  expect(await drawn(lost)).toEqual([text, { type: 'text', text: expect.stringMatching(words) }])
})
