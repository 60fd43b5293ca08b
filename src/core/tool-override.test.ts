import { expect, test } from 'vitest'
import { defineTool } from './define-tool.ts'
import { createRegistry } from './registry.ts'
import type { ToolOverride } from './tool-override.ts'

const refund = defineTool({
  name: 'billing.refund',
  description: 'Refund an invoice, in full or in part.',
  effect: 'write',
  timeoutMs: 5000,
  retries: 1,
  idempotent: true,
  permission: 'billing.refund',
  labels: { reads: ['private'] },
  inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
  execute: () => null,
})
const override = (given: Partial<ToolOverride>): ToolOverride => ({ setBy: 'user:ada', ...given })

function overridden(given: Partial<ToolOverride>) {
  const registry = createRegistry()
  registry.register(refund)
  registry.setOverrides('acme', new Map([['billing.refund', override(given)]]))
  return { registry, entry: registry.find('billing.refund', 'acme') }
}

test('an override changes a tool for its tenant alone, for every reader', () => {
  const { registry, entry } = overridden({ title: 'Give money back' })
  expect(entry?.contract.title).toBe('Give money back')
  expect(entry?.tool.contract).toBe(entry?.contract)
  expect(registry.list('acme')).toEqual([entry])
  expect(registry.find(entry?.wireName ?? '', 'acme')).toBe(entry)
  for (const tenant of [undefined, 'other']) {
    expect(registry.find('billing.refund', tenant)?.tool).toBe(refund)
  }
})

test('an overridden tool has its own version, and follows the code behind it', () => {
  const { registry, entry } = overridden({ title: 'Give money back' })
  expect(entry?.version).not.toBe(registry.find('billing.refund')?.version)
  registry.replace(defineTool({ ...definition, description: 'Refund an invoice, by its id.' }))
  const after = registry.find('billing.refund', 'acme')
  expect(after?.contract).toMatchObject({
    title: 'Give money back',
    description: 'Refund an invoice, by its id.',
  })
})

const definition = {
  name: 'billing.refund',
  effect: 'write',
  inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
  execute: () => null,
} as const

test('it can make a tool stricter, never more open', () => {
  const stricter = {
    effect: 'destructive',
    timeoutMs: 1000,
    approval: 'always',
    labels: { reads: ['untrusted'], effects: 'external' },
  } as const
  expect(overridden(stricter).entry?.contract).toMatchObject({
    effect: 'destructive',
    idempotent: false,
    retries: 0,
    timeoutMs: 1000,
    approval: 'always',
    labels: { reads: ['private', 'untrusted'], effects: 'external' },
  })
  const opening = {
    effect: 'read',
    timeoutMs: 9000,
    permission: 'calm',
    labels: { reads: [] },
  } as const
  expect(overridden(opening).entry?.contract).toMatchObject({
    effect: 'write',
    timeoutMs: 5000,
    permission: 'billing.refund',
    labels: { reads: ['private'], effects: 'local' },
  })
})

test('a disabled tool is quarantined, with the person who disabled it', () => {
  expect(overridden({ isEnabled: false }).entry?.quarantine).toBe('It is disabled by user:ada')
})

test('a form that no longer fits is left out', () => {
  const form = { order: ['gone'] }
  const { entry } = overridden({ form, title: 'Still here' })
  expect(entry?.contract).toMatchObject({ title: 'Still here', form: undefined })
})

test('overrides of an evicted tenant are dropped', () => {
  const { registry } = overridden({ title: 'Give money back' })
  registry.setOverrides('acme', new Map())
  expect(registry.find('billing.refund', 'acme')).toBe(registry.find('billing.refund'))
})
