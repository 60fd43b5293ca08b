import { expect, test } from 'vitest'
import type { OfferedTool, ToolOffer } from '../../../core/offer/tool-offer.ts'
import { toCursor } from '../cursor.ts'
import { toolPage } from './tool-pages.ts'

const tools = ['a', 'b', 'c', 'd'].map((name): OfferedTool => ({
  name: `demo.${name}`,
  wireName: `demo_${name}`,
  title: name,
  description: name,
  icon: undefined,
  outputSchema: undefined,
  effect: 'read',
  idempotent: true,
  openWorld: false,
  pack: 'demo',
  source: 'code',
  inputSchema: { type: 'object' },
  examples: [],
  execution: 'inline',
  timeoutMs: 1000,
  asks: false,
  mayAsk: false,
}))

test('pages that a client was told of are kept, and those it makes up are not', () => {
  const offer: ToolOffer = { tools, mode: 'list', find: () => undefined }
  const page = (cursor?: string) =>
    toolPage(offer, { face: {}, era: 'modern', cursor, pageSize: 2 })
  const first = page()
  expect(page()).toBe(first)
  expect(page(first.nextCursor)).toBe(page(first.nextCursor))
  const made = toCursor('demo.a')
  expect(page(made)).toEqual(page(made))
  expect(page(made)).not.toBe(page(made))
})
