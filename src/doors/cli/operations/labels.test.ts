import { expect, test } from 'vitest'
import { createFakeApi, json } from '../testing/fake-api.ts'
import { runLine } from '../testing/run-line.ts'

const label = { pattern: 'web.*', reads: ['untrusted'], isDeclared: false, setBy: 'user:owner' }
const flag = {
  kind: 'private',
  callId: 'call_1',
  tool: 'crm.find',
  raisedAt: '2026-11-15T10:00:00.000',
}

test('a label is set with what its tools read and affect', async () => {
  const api = createFakeApi({ 'PUT /labels/web.*': () => json(label) })
  const set = (...options: string[]) => runLine(['labels', 'set', 'web.*', ...options], api)
  expect(await set('--reads', 'untrusted', '--effects', 'external', '--reads', 'private')).toEqual({
    code: 0,
    out: '✓ Labelled web.*\n',
    err: '',
  })
  await set('--reads', 'untrusted, private')
  await set('--reads', 'none')
  expect(api.seen.map(({ method, body }) => [method, body])).toEqual([
    ['PUT', { reads: ['untrusted', 'private'], effects: 'external' }],
    ['PUT', { reads: ['untrusted', 'private'] }],
    ['PUT', { reads: [] }],
  ])
})

test('the command warns of a pattern that matches no tool', async () => {
  const warnings = ['pattern wbe.* matches no tool at the moment']
  const api = createFakeApi({ 'PUT /labels/wbe.*': () => json({ ...label, warnings }) })
  const words = ['labels', 'set', 'wbe.*', '--reads', 'untrusted']
  expect((await runLine(words, api)).err).toBe(`! ${warnings[0]}\n`)
  const { out, err } = await runLine([...words, '--json'], api)
  expect([JSON.parse(out), err]).toEqual([{ ...label, warnings }, ''])
})

test.each([
  [['set', 'web.*'], '✗ There is nothing to set.\n→ Give at least one of --reads, --effects.\n'],
  [['delete'], '✗ The pattern is missing.\n→ Write toolcrib labels delete <pattern>\n'],
  [['flags'], '✗ The session id is missing.\n→ Write toolcrib labels flags <session-id>\n'],
])('labels %j names a missing word before anything is sent', async (words, err) => {
  expect(await runLine(['labels', ...words])).toEqual({ code: 2, out: '', err })
})

test('labels are listed in one request and deleted', async () => {
  const all = [label, { ...label, reads: [], effects: 'local', setBy: 'configuration' }]
  const api = createFakeApi({
    'GET /labels': () => json({ items: all }),
    'DELETE /labels/web.*': () => new Response(null, { status: 204 }),
  })
  expect((await runLine(['labels'], api)).out.split('\n')).toEqual([
    'tools  reads      effects  set by',
    'web.*  untrusted           user:owner',
    'web.*  none       local    configuration',
    '',
  ])
  expect(api.seen.map(({ query }) => query)).toEqual([{}])
  expect(JSON.parse((await runLine(['labels', '--json'], api)).out)).toEqual({ items: all })
  expect((await runLine(['labels', 'delete', 'web.*'], api)).out).toBe('✓ Deleted web.*\n')
  const gone = await runLine(['labels', 'delete', 'web.*', '--json'], api)
  expect(JSON.parse(gone.out)).toEqual({ pattern: 'web.*', deleted: true })
  const none = createFakeApi({ 'GET /labels': () => json({ items: [] }) })
  expect((await runLine(['labels'], none)).out).toContain('toolcrib labels set')
})

test('flags of a session are shown and cleared', async () => {
  const api = createFakeApi({
    'GET /session-flags/s': () => json({ items: [flag] }),
    'DELETE /session-flags/s': () => json({ items: [flag] }),
  })
  expect((await runLine(['labels', 'flags', 's'], api)).out.split('\n')).toEqual([
    'has read      since             tool      call',
    'private data  2026-11-15 10:00  crm.find  call_1',
    '',
  ])
  expect((await runLine(['labels', 'clear', 's'], api)).out).toBe(
    '✓ Cleared the flag for private data (crm.find, call_1)\n',
  )
  const cleared = await runLine(['labels', 'clear', 's', '--json'], api)
  expect(JSON.parse(cleared.out)).toEqual({ items: [flag] })
})
