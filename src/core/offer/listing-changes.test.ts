import { expect, test } from 'vitest'
import { listingChanges } from './listing-changes.ts'
import type { OfferedTool, ToolOffer } from './tool-offer.ts'

function tool(name: string, more: Partial<OfferedTool> = {}): OfferedTool {
  return {
    name,
    wireName: name.replace('.', '_'),
    title: name,
    description: 'A tool.',
    icon: undefined,
    effect: 'read',
    idempotent: true,
    openWorld: false,
    pack: 'demo',
    source: 'code',
    inputSchema: { type: 'object', properties: { a: { type: 'string' } } },
    outputSchema: undefined,
    examples: [],
    execution: 'inline',
    timeoutMs: 1000,
    asks: false,
    mayAsk: false,
    ...more,
  }
}

function offer(...tools: OfferedTool[]): ToolOffer {
  return { tools, mode: 'list', find: (name) => tools.find((one) => one.name === name) }
}

test('rebuilt offers of tools that look the same have no changes', () => {
  const before = offer(tool('a.a'), tool('a.b'))
  expect(listingChanges(before, before).names).toEqual([])
  expect(listingChanges(before, offer(...before.tools)).names).toEqual([])
  expect(listingChanges(before, offer(tool('a.a'), tool('a.b'))).names).toEqual([])
})

test('a change to an unlisted tool is not a change', () => {
  const before = offer(tool('a.a'))
  const after = offer(tool('a.a', { mayAsk: true, timeoutMs: 5, pack: 'other' }))
  expect(listingChanges(before, after).names).toEqual([])
})

test('tools that are added, removed or look different are named', () => {
  const before = offer(tool('a.same'), tool('a.gone'), tool('a.other'))
  const after = offer(tool('a.new'), tool('a.same'), tool('a.other', { description: 'Else.' }))
  expect([...listingChanges(before, after).names].sort()).toEqual(['a.gone', 'a.new', 'a.other'])
})

test.each<Partial<OfferedTool>>([
  { title: 'Else' },
  { asks: true },
  { effect: 'write' },
  { icon: 'tool' },
  { icons: [{ src: 'https://example.com/a.png' }] },
  { inputSchema: { type: 'object' } },
  { outputSchema: { type: 'object' } },
])('%j is a change', (more) => {
  expect(listingChanges(offer(tool('a.a')), offer(tool('a.a', more))).names).toEqual(['a.a'])
})
