import { expect, test } from 'vitest'
import type { ServerTool } from '../../../core/gateway/tool-pin.ts'
import { createFakeApi, json, problem } from '../testing/fake-api.ts'
import { runLine } from '../testing/run-line.ts'

const aside = (name: string): ServerTool => ({
  name,
  tool: `mcp:notes:${name}`,
  effect: 'write',
  state: 'quarantined',
  reason: 'it has changed',
  hash: `hash-of-${name}`,
  findings: [],
})

function createNotes(tools: readonly ServerTool[]) {
  const accepted: unknown[] = []
  const api = createFakeApi({
    'GET /mcp-servers/notes/tools': () => json({ items: tools }),
    'POST /mcp-servers/notes/tools/read/accept': ({ body }) => {
      accepted.push(['read', body])
      return json({ ...tools[0], state: 'ready' })
    },
    'POST /mcp-servers/notes/tools/search/accept': ({ body }) => {
      accepted.push(['search', body])
      return problem({ status: 409, code: 'conflict', detail: 'It has changed again' })
    },
  })
  return { api, accepted }
}

test('all tools that are set aside are accepted as they were shown, and one that changed is told', async () => {
  const ready: ServerTool = { ...aside('list'), state: 'ready' }
  const { api, accepted } = createNotes([aside('search'), ready, aside('read')])
  const { out, err, code } = await runLine(['mcp', 'accept', 'notes', '--all', '--yes'], api)
  expect(accepted).toEqual([
    ['search', { hash: 'hash-of-search' }],
    ['read', { hash: 'hash-of-read' }],
  ])
  expect([out.includes('read is ready'), err.includes('It has changed again'), code > 0]).toEqual([
    true,
    true,
    true,
  ])
})

test('where none is set aside, nothing is done, and a tool beside --all is a mistake', async () => {
  const { api } = createNotes([])
  const none = await runLine(['mcp', 'accept', 'notes', '--all'], api)
  expect([none.out, none.code]).toEqual(['No tool of notes is set aside.\n', 0])
  const both = await runLine(['mcp', 'accept', 'notes', 'read', '--all'], api)
  expect(both.err).toContain('Name a tool, or say --all.')
})
