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

test('cursors that a client was given are kept, and invented ones are not', () => {
  const offer: ToolOffer = { tools, mode: 'list', find: () => undefined }
  const page = (cursor?: string) =>
    toolPage(offer, { scope: {}, era: 'modern', cursor, pageSize: 2 })
  const first = page()
  expect(page()).toBe(first)
  expect(page(first.nextCursor)).toBe(page(first.nextCursor))
  const made = toCursor('demo.a')
  expect(page(made)).toEqual(page(made))
  expect(page(made)).not.toBe(page(made))
})

test('where a call may outlast its answer, the way to its result ends the list', () => {
  const find = () => undefined
  const [first, ...others] = tools as [OfferedTool, ...OfferedTool[]]
  const names = (offer: ToolOffer, server?: string) => {
    const scope = server === undefined ? {} : { server }
    const page = toolPage(offer, { scope, era: 'legacy', cursor: undefined, pageSize: 10 })
    expect(JSON.parse(`{${Buffer.from(page.bytes).toString()}}`)).toEqual({ tools: page.tools })
    return page.tools.map(({ name }) => name)
  }
  const plain = tools.map(({ wireName }) => wireName)
  expect(names({ tools, mode: 'list', find })).toEqual(plain)
  for (const waits of [{ asks: true }, { mayAsk: true }, { execution: 'background' as const }]) {
    const waiting = [{ ...first, ...waits }, ...others]
    expect(names({ tools: waiting, mode: 'list', find })).toEqual([...plain, 'toolcrib_result'])
    // A tool of that name is what is meant by it.
    expect(names({ tools: waiting, mode: 'list', find: () => first })).toEqual(plain)
  }
  expect(names({ tools, mode: 'search', find })).toEqual([...plain, 'toolcrib_result'])
  expect(names({ tools, mode: 'search', find }, 'files')).toEqual([])
})
