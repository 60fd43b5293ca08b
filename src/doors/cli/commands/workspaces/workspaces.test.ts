import { expect, test } from 'vitest'
import { createFakeApi, json } from '../../testing/fake-api.ts'
import { runLine } from '../../testing/run-line.ts'

const id = 'ws_01990000000070008000000000000001'
const at = '2026-11-19T05:00:00.000Z'
const workspace = {
  id,
  agent: 'coder',
  principal: { kind: 'user', id: 'ada' },
  mode: 'free',
  bytes: 13_400,
  files: 6,
  maxBytes: 536_870_912,
  maxFiles: 20_000,
  createdAt: at,
  usedAt: at,
  expiresAt: at,
}
const started = { pid: 1, command: 'npm run dev', cwd: '', state: 'running', startedAt: at }

test('workspaces are listed and shown with their size in words', async () => {
  const api = createFakeApi({
    'GET /workspaces': () => json({ items: [workspace] }),
    [`GET /workspaces/${id}`]: () => json(workspace),
  })
  const { out } = await runLine(['workspaces'], api)
  expect(out).toMatch(new RegExp(`^${id} +agent coder +free +6 +13 KB `, 'm'))
  const shown = await runLine(['workspaces', 'show', id], api)
  expect(shown.out).toContain('size     13 KB of at most 537 MB')
  const none = createFakeApi({ 'GET /workspaces': () => json({ items: [] }) })
  expect((await runLine(['workspaces'], none)).out).toMatch(/^No workspaces yet\./)
})

test('files are listed from the root unless a folder is named', async () => {
  const items = [{ path: 'src', kind: 'folder', bytes: 0, modifiedAt: at }]
  const route = `/workspaces/${id}/files`
  const api = createFakeApi({ [`GET ${route}`]: () => json({ items, isPartial: false }) })
  expect((await runLine(['workspaces', 'files', id], api)).out).toContain('src/  folder')
  expect(api.last(route)?.query['path']).toBeUndefined()
  await runLine(['workspaces', 'files', id, 'src'], api)
  expect(api.last(route)?.query['path']).toBe('src')
})

test('changes are printed as unified diffs that cannot control the terminal', async () => {
  const diff = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\u001b[2J\n'
  const items = [
    { path: 'x', change: 'changed', diff, bytes: 4, at },
    { path: 'y.png', change: 'added', isBinary: true, bytes: 9, at },
  ]
  const route = `GET /workspaces/${id}/changes`
  const api = createFakeApi({ [route]: () => json({ items, isPartial: true }) })
  const { out, err } = await runLine(['workspaces', 'changes', id], api)
  expect(out.split('\n')).toEqual([
    'changed x',
    '--- a/x',
    '+++ b/x',
    '@@ -1 +1 @@',
    '-old',
    '+new',
    'added y.png',
    '9 bytes, without a diff',
    '',
  ])
  expect(err).toContain('--limit')
})

test('processes are listed by their workspace alone, and their output keeps its lines', async () => {
  const api = createFakeApi({
    [`GET /workspaces/${id}/processes`]: () =>
      json({ items: [{ ...started, stdoutBytes: 8, stderrBytes: 0 }] }),
    [`GET /workspaces/${id}/processes/1/output`]: () =>
      json({ text: 'one\ntwo\n', next: 8, dropped: 0, isEnd: false }),
  })
  expect((await runLine(['processes', id], api)).out).toContain('npm run dev')
  expect(await runLine(['processes', 'output', id, '1'], api)).toMatchObject({
    out: 'one\ntwo\n',
    err: '✓ --offset 8 reads on.\n',
  })
  const { code, err } = await runLine(['processes'], api)
  expect(code).toBe(2)
  expect(err).toContain('toolcrib processes list <workspace>')
})

test('the sandbox is shown without a verb', async () => {
  const state = { driver: 'bwrap', state: 'verified', limits: 'enforced', checkedAt: at }
  const checks = [{ name: 'network', title: 'Reaches no network', isOk: true }]
  const api = createFakeApi({ 'GET /sandbox': () => json({ ...state, checks, durationMs: 200 }) })
  const { code, out } = await runLine(['sandbox'], api)
  expect(code).toBe(0)
  expect(out).toContain('bwrap: verified')
  expect(out).toContain('yes    Reaches no network')
})

test('a tool of a pack that is off is answered with how to turn it on', async () => {
  const packs = [{ name: 'shell', isOptIn: true, isOn: false, tools: 1 }]
  const api = createFakeApi({
    'GET /tools/shell.exec': () => json({ code: 'tool_not_found', detail: 'No', status: 404 }, 404),
    'GET /tools': () => json({ items: [] }),
    'GET /policy-words': () => json({ profiles: [], groups: [], packs }),
  })
  const { code, err } = await runLine(['call', 'shell.exec', '--command', 'ls'], api)
  expect(code).toBe(4)
  expect(err).toContain('The pack shell is off: toolcrib policy set pack:shell --on.')
})
