import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFakeApi, json, toolOf } from '../testing/fake-api.ts'
import { runLine } from '../testing/run-line.ts'

let cwd: string
beforeEach(async () => {
  cwd = await mkdtemp(path.join(tmpdir(), 'toolcrib-files-'))
  await writeFile(path.join(cwd, 'notes.txt'), 'hello')
})
afterEach(() => rm(cwd, { recursive: true }))

const inputSchema = {
  type: 'object',
  properties: { paper: { type: 'string', format: 'file', contentMediaType: 'text/plain' } },
  required: ['paper'],
}

async function callWith(paper: string) {
  const api = createFakeApi({
    'GET /tools/paper.read': () => json(toolOf({ name: 'paper.read', inputSchema })),
    'POST /tools/paper.read/calls': () =>
      json({ callId: 'call_1', status: 'completed', output: 1 }),
  })
  const line = await runLine(['call', 'paper.read', '--paper', paper], { ...api, cwd })
  return { ...line, sent: api.seen.find(({ method }) => method === 'POST')?.body }
}

test('a file is sent with @ before its name', async () => {
  const { code, sent } = await callWith('@notes.txt')
  expect(code).toBe(0)
  expect(JSON.stringify(sent)).toContain('aGVsbG8=')
})

test('the name of a file without @ is refused with the way to write it', async () => {
  const { code, err, sent } = await callWith('notes.txt')
  expect([code, sent]).toEqual([2, undefined])
  expect(err).toBe(
    '✗ --paper takes the content of a file, not its name.\n→ Write --paper @notes.txt\n',
  )
})
