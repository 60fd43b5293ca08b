import { expect, test } from 'vitest'
import { printCodeApi } from './print-code-api.ts'

const find = {
  name: 'billing.find',
  description: 'Find an\ninvoice.',
  inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
  outputSchema: { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] },
  asks: false,
}
const read = { ...find, name: 'mcp:files:read', outputSchema: undefined, asks: true }

test('each tool is a function with types', () => {
  expect(printCodeApi([find, read])).toBe(`/** Find an invoice. */
tools.billing.find(input: {
  id: string
}): Promise<{
  total: number
}>
/** Find an invoice. A person is asked first. */
tools["mcp:files:read"](input: {
  id: string
}): Promise<unknown>`)
})

test('tools that do not fit are named', () => {
  const text = printCodeApi([find, read, { ...find, name: 'crm.note' }], 100)
  expect(text.split('\n')).toHaveLength(7)
  expect(text).toContain('// Also: mcp:files:read, crm.note. await search("words") finds them')
})
