import { expect, test } from 'vitest'
import type { ServerTool } from '../../../../core/gateway/tool-pin.ts'
import { createFakeApi, json } from '../../testing/fake-api.ts'
import { runLine } from '../../testing/run-line.ts'

const aside = (name: string): ServerTool => ({
  name,
  tool: `mcp:notes:${name}`,
  effect: 'write',
  effectBy: 'default',
  hints: {},
  hintsTrusted: false,
  state: 'quarantined',
  reason: 'it has changed',
  hash: `hash-of-${name}`,
  findings: [],
})

function createNotes(tools: readonly ServerTool[]) {
  const asked: unknown[] = []
  const api = createFakeApi({
    'GET /mcp-servers/notes/tools': () => json({ items: tools }),
    'POST /mcp-servers/notes/tools/decisions': ({ body }) => {
      asked.push(body)
      const problem = { code: 'conflict', message: 'It has changed again', fix: 'Look again' }
      return json({
        items: [
          { tool: 'search', state: 'quarantined', problem },
          { tool: 'read', state: 'ready' },
        ],
      })
    },
  })
  return { api, asked }
}

test('all tools that are set aside are accepted as they were shown, and one that changed is reported', async () => {
  const ready: ServerTool = { ...aside('list'), state: 'ready' }
  const { api, asked } = createNotes([aside('search'), ready, aside('read')])
  const { out, err, code } = await runLine(['mcp', 'accept', 'notes', '--all', '--yes'], api)
  expect(asked).toEqual([
    {
      decisions: [
        { tool: 'search', hash: 'hash-of-search', verdict: 'accept' },
        { tool: 'read', hash: 'hash-of-read', verdict: 'accept' },
      ],
    },
  ])
  expect(out).toContain('read is ready')
  expect(err).toContain('It has changed again')
  expect(err).toContain('Look again')
  expect(code).toBeGreaterThan(0)
})

test('with --json one document has every result', async () => {
  const { api } = createNotes([aside('search'), aside('read')])
  const line = ['mcp', 'reject', 'notes', '--all', '--yes', '--json']
  const { out, code } = await runLine(line, api)
  expect(JSON.parse(out)).toMatchObject({ items: [{ tool: 'search' }, { state: 'ready' }] })
  expect(code).toBeGreaterThan(0)
})

test('thousands of tools are asked for some hundreds at a time', async () => {
  const { api, asked } = createNotes(Array.from({ length: 1_001 }, (_, at) => aside(`t${at}`)))
  await runLine(['mcp', 'accept', 'notes', '--all', '--yes'], api)
  const counts = asked.map((body) => (body as { decisions: unknown[] }).decisions.length)
  expect(counts).toEqual([500, 500, 1])
})

test('where none is set aside, nothing is done, and a tool beside --all is a mistake', async () => {
  const { api } = createNotes([])
  const none = await runLine(['mcp', 'accept', 'notes', '--all'], api)
  expect([none.out, none.code]).toEqual(['No tool of notes is set aside.\n', 0])
  const both = await runLine(['mcp', 'accept', 'notes', 'read', '--all'], api)
  expect(both.err).toContain('Name a tool, or add --all.')
})
