import { expect, test } from 'vitest'
import { toWireNames } from '../kernel/names.ts'
import { unwrapCall } from './unwrap-call.ts'

const input = { name: 'billing.refund', input: '{"order":"A"}' }
const inner = { tool: 'billing.refund', input: { order: 'A' } }

/** Resolves names like a server with these tools. */
function unwrapAmong(...names: string[]) {
  const table = toWireNames(['tools.call', 'billing.refund', ...names])
  return (tool: string, given: unknown = input) =>
    unwrapCall({ tool, input: given }, (name) => table.toCanonical(name))
}

test('a call through tools.call is a call of the tool it names, by either name', () => {
  const unwrap = unwrapAmong()
  expect(unwrap('tools.call')).toEqual(inner)
  expect(unwrap('tools_call')).toEqual(inner)
  expect(unwrap('billing.refund')).toEqual({ tool: 'billing.refund', input })
})

test('a tool with the same name is called by it, and tools.call by its assigned wire name', () => {
  const unwrap = unwrapAmong('tools_call', 'tools.callback')
  expect(unwrap('tools_call')).toEqual({ tool: 'tools_call', input })
  expect(unwrap('tools_callback')).toEqual({ tool: 'tools_callback', input })
  const wire = toWireNames(['tools.call', 'tools_call']).toWire('tools.call') ?? ''
  expect(unwrap(wire)).toEqual(inner)
  expect(unwrap('tools.call', { name: 'tools_call', input: '{}' })).toEqual({
    tool: 'tools_call',
    input: {},
  })
})

test('it cannot call itself, and unreadable input is reported with its place', () => {
  const unwrap = unwrapAmong()
  for (const given of [{ name: 'tools_call' }, { name: 'tools.search' }, { input: '{}' }]) {
    expect(() => unwrap('tools.call', given)).toThrow(
      'The input does not match the schema of tools.call',
    )
  }
  expect(() => unwrap('tools.call', { ...input, input: '{broken' })).toThrow(
    expect.objectContaining({ issues: [{ path: '/input', message: 'must be JSON text' }] }),
  )
})
