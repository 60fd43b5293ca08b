import { describe, expect, test } from 'vitest'
import { type AuditEntry, fitsAudit, toNeedle, toolOfEvent } from './audit-filter.ts'

describe('the filter of an audit', () => {
  const entry = {
    id: 'e',
    seq: 1,
    at: '2026-03-01T12:00:00.000Z',
    tenant: 't',
    principal: { kind: 'user', id: 'anna' },
    type: 'call.requested',
    data: { decision: { verdict: 'deny', layer: 'grants' }, note: 'Say "Hi"\n' },
  } as unknown as AuditEntry

  test.each([
    [{}, true],
    [{ principal: 'anna' }, true],
    [{ principal: 'user:anna' }, true],
    [{ principal: 'key:anna' }, false],
    [{ verdict: 'deny' }, true],
    [{ verdict: 'ask' }, false],
    [{ layer: 'grants', verdict: 'deny' }, true],
    [{ text: 'say "hi"\n' }, true],
    [{ text: 'bye' }, false],
    [{ types: [] }, false],
    [{ fromMs: Date.parse(entry.at) }, true],
    [{ toMs: Date.parse(entry.at) }, false],
  ] as const)('%j matches: %s', (filter, isFit) => {
    expect(fitsAudit(entry, filter)).toBe(isFit)
  })

  test('a text is searched in its JSON form', () => {
    expect(toNeedle('A "b"\n')).toBe(String.raw`a \"b\"\n`)
  })

  test('only events about a tool have one', () => {
    expect(toolOfEvent({ type: 'tool.registered', data: { name: 'a.b' } })).toBe('a.b')
    expect(toolOfEvent({ type: 'call.refused', data: { tool: 'a.b' } })).toBe('a.b')
    expect(toolOfEvent({ type: 'secret.written', data: { name: 'a.b' } })).toBeUndefined()
    expect(toolOfEvent({ type: 'tool.registered', data: null })).toBeUndefined()
  })
})
