import { expect, test } from 'vitest'
import type { Api } from '../../api/client.ts'
import { toAuditQuery } from './audit-filter.ts'
import { changesOf, outcomeOf, describeAction, describeTarget } from './audit-words.ts'
import { withStretch } from './chain-result.ts'

type Entry = Api<'AuditEntry'>

/** With what matters to a case: events of earlier versions lack fields, too. */
const entry = (type: Entry['type'], data: unknown): Entry =>
  ({
    id: '1',
    seq: 1,
    at: '2026-11-15T12:00:00Z',
    tenant: 'default',
    principal: { kind: 'user', id: 'owner' },
    type,
    data,
  }) as Entry

test('an event names the action and its target', () => {
  expect(describeAction('member.sign_in_failed')).toBe('Member sign in failed')
  expect(describeAction('mcp.server.added')).toBe('MCP server added')
  expect(describeTarget(entry('secret.written', { name: 'TOKEN' }))).toBe('TOKEN')
  expect(outcomeOf({ type: 'call.denied' })).toBe('denied')
  expect(outcomeOf({ type: 'secret.written' })).toBeUndefined()
})

test('values before and after are listed field by field', () => {
  const changed = entry('member.changed', {
    from: { role: 'member', permissions: [] },
    to: { role: 'operator', permissions: [] },
  })
  expect(changesOf(changed)).toEqual([{ field: 'role', before: 'member', after: 'operator' }])
  const made = entry('policy.changed', { before: null, after: { deny: ['x'] } })
  expect(changesOf(made)).toEqual([{ field: 'deny', before: undefined, after: ['x'] }])
  expect(changesOf(entry('secret.written', { name: 'a' }))).toBeUndefined()
})

test('a payload of an earlier version is shown as far as it can be read', () => {
  for (const data of [null, 'text', 7, [], { name: 5, tool: null, from: 'x' }]) {
    expect(describeTarget(entry('member.changed', data))).toBe('')
  }
  expect(changesOf(entry('member.changed', { from: 'x' }))).toEqual([
    { field: '', before: 'x', after: undefined },
  ])
})

test('running output is left out unless the filter asks for it', () => {
  expect(toAuditQuery({}, 0).what).not.toContain('call.output')
  expect(toAuditQuery({ action: 'call.output' }, 0).what).toBe('call.output')
  expect(toAuditQuery({ target: 'call_1', action: 'keys' }, 0)).toEqual({
    what: 'keys',
    callId: 'call_1',
  })
})

test('parts of the chain add up, and the last one has the head', () => {
  const start = { segments: 0, events: 0, problems: [], unsealed: 0, isDone: false }
  const first = withStretch(start, { segments: 2, events: 10, problems: [], next: 2 })
  const to = { segment: 3, digest: 'd', at: '2026-11-15T12:00:00Z' }
  const last = withStretch(first, { segments: 1, events: 5, problems: [], to, unsealed: 1 })
  expect(last).toEqual({ segments: 3, events: 15, problems: [], to, unsealed: 1, isDone: true })
})
