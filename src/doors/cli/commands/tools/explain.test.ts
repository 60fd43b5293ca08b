import { expect, test } from 'vitest'
import type { Explanation } from '../../../../core/policy/scope.ts'
import { createFakeApi, json, problem } from '../../testing/fake-api.ts'
import { runLine } from '../../testing/run-line.ts'

const hidden: Explanation = {
  tool: 'billing.refund',
  visible: false,
  verdict: 'deny',
  stoppedBy: 'grants',
  reasons: ['agent support has no grant for billing.refund'],
  layers: [
    { layer: 'tenant', passes: true, reason: 'the tool is for every tenant' },
    {
      layer: 'grants',
      passes: false,
      reason: 'agent support has no grant for billing.refund',
      setBy: 'user:anna on 2026-11-15 10:00',
      fix: 'grant billing.refund to agent support',
      change: { command: 'toolcrib agents grant support billing.refund', api: 'POST /api/v1/x' },
    },
  ],
}
const asked: Explanation = {
  tool: 'mail.send',
  visible: true,
  verdict: 'ask',
  stoppedBy: 'agent support needs approval for mail.* (rule: confirm)',
  reasons: ['agent support needs approval for mail.* (rule: confirm)'],
  layers: [{ layer: 'tenant', passes: true, reason: 'the tool is for every tenant' }],
  asks: [
    {
      layer: 'hooks',
      reason: 'agent support needs approval for mail.* (rule: confirm)',
      setBy: 'configuration',
      change: { configuration: 'agents[support].hooks.confirm' },
    },
  ],
  labels: { reads: ['private'], effects: 'external', setBy: ['label mail.* (configuration)'] },
}
const seen: Explanation = {
  tool: 'file.read',
  visible: true,
  verdict: 'allow',
  reasons: [],
  layers: [{ layer: 'tenant', passes: true, reason: 'the tool is for every tenant' }],
}
const items = [hidden, seen, asked]
const flag = {
  kind: 'private',
  callId: 'call_1',
  tool: 'crm.find',
  raisedAt: '2026-11-15T10:00:00.000Z',
}

test('explain sums up, then shows for every tool what stops it and how to change that', async () => {
  const api = createFakeApi({ 'GET /explain': () => json({ items }) })
  const { out } = await runLine(['explain', '--agent', 'support', '--as', 'role:viewer'], {
    ...api,
    columns: 140,
  })
  expect(out.split('\n')).toEqual([
    '3 tools: 1 allowed, 1 asked about, 1 hidden (1 by grants)',
    '',
    '✗ billing.refund  grants: agent support has no grant for billing.refund → toolcrib agents grant support billing.refund',
    '✓ file.read',
    '? mail.send       hooks: agent support needs approval for mail.* (rule: confirm) → change agents[support].hooks.confirm in the configuration',
    '',
    '--tool <name> shows every layer and who set it.',
    '',
  ])
  expect(api.seen.map(({ query }) => query)).toEqual([{ agent: 'support', as: 'role:viewer' }])
})

test('on a narrow terminal nothing is cut off and no line is too long', async () => {
  const api = createFakeApi({ 'GET /explain': () => json({ items }) })
  const narrow = { ...api, isTty: true, columns: 36, env: { NO_COLOR: '1' } }
  const { out } = await runLine(['explain', '--agent', 'support'], narrow)
  const lines = out.split('\n')
  expect(lines.filter((line) => line.length > 36)).toEqual([])
  expect(out.replaceAll(/\s+/g, ' ')).toContain('agent support has no grant for billing.refund')
  const one = await runLine(['explain', '--tool', 'mail.send'], narrow)
  expect(one.out.split('\n').filter((line) => line.length > 36)).toEqual([])
})

test('one tool is shown with every layer, who set it, and what would change it', async () => {
  const api = createFakeApi({
    'GET /explain': () => json({ items: [hidden, asked], flags: [flag] }),
  })
  const { out } = await runLine(['explain', 'billing.refund', '--session', 's'], {
    ...api,
    columns: 100,
  })
  expect(out.split('\n')).toEqual([
    'Session s has seen private data since 2026-11-15T10:00:00.000Z: crm.find, call_1',
    '',
    'billing.refund: hidden, deny, stopped by grants',
    '',
    '✓ tenant     the tool is for every tenant',
    '✗ grants     agent support has no grant for billing.refund',
    '    set by user:anna on 2026-11-15 10:00',
    '    → toolcrib agents grant support billing.refund or POST /api/v1/x',
    'mail.send: seen, ask',
    '',
    '✓ tenant     the tool is for every tenant',
    '? hooks: agent support needs approval for mail.* (rule: confirm)',
    '    set by configuration',
    '    → change agents[support].hooks.confirm in the configuration',
    '',
    'reads private; effect external',
    '  set by label mail.* (configuration)',
    '',
  ])
  expect(api.seen.map(({ query }) => query)).toEqual([{ session: 's', tool: 'billing.refund' }])
})

test('an id is explained with what was decided, what differs, and what holds now', async () => {
  const id = `ref_${'0'.repeat(32)}`
  const past = {
    id,
    kind: 'refusal',
    at: '2026-11-15T10:00:00.000Z',
    tool: 'billing.refund',
    principal: { kind: 'key', id: 'k1' },
    agent: 'support',
    runtime: 'chat',
    sessionId: 's',
    decided: { verdict: 'deny', layer: 'grants', rule: 'no grant', reasons: ['no grant'] },
    now: hidden,
    difference: 'Nothing has changed: grants still hides it.',
  }
  const api = createFakeApi({ [`GET /explain/${id}`]: () => json(past) })
  const { out } = await runLine(['explain', id], { ...api, columns: 120 })
  expect(out.split('\n').slice(0, 6)).toEqual([
    'billing.refund was refused on 2026-11-15 10:00:00 by key:k1 as agent support, runtime chat, session s',
    '  deny, grants: no grant',
    '',
    'Nothing has changed: grants still hides it.',
    '',
    'billing.refund: hidden, deny, stopped by grants',
  ])
  expect(JSON.parse((await runLine(['explain', id, '--json'], api)).out)).toEqual(past)
})

test('a missing tool is reported with the id to explain', async () => {
  const refusalId = `ref_${'a'.repeat(32)}`
  const api = createFakeApi({
    'GET /tools/calc.ad': () =>
      problem({ status: 404, code: 'tool_not_found', detail: 'There is none', refusalId }),
    'GET /tools': () => json({ items: [] }),
  })
  expect((await runLine(['call', 'calc.ad'], api)).err).toBe(
    `✗ There is none\n→ See toolcrib tools, or toolcrib explain ${refusalId} for why it is not there.\n`,
  )
  const { err } = await runLine(['call', 'calc.ad', '--json'], api)
  expect(JSON.parse(err)).toMatchObject({ error: { code: 'tool_not_found', refusalId } })
})
