import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Crib, defineTool, ToolError, z } from '../src/app/index.ts'
import { ownerOf } from '../src/app/owner.ts'
import type { CallContext } from '../src/core/kernel/call.ts'
import type { JsonValue } from '../src/core/kernel/json.ts'
import { isToolError } from '../src/core/kernel/errors.ts'
import type { PreviewChange } from '../src/core/kernel/trial/tool-preview.ts'
import { createTestCrib } from '../src/testing/index.ts'

const owner = ownerOf()
const notes = new Map<string, string>()
const writes: string[] = []

/** What a preview of the tests does: set by each of them. */
let inPreview: (input: { title: string; text: string }, ctx: CallContext) => unknown

const write = defineTool({
  name: 'note.write',
  description: 'Writes a note.',
  effect: 'write',
  secrets: [{ key: 'note_key', optional: true }],
  timeoutMs: 300,
  inputSchema: z.object({ title: z.string(), text: z.string() }),
  async preview(input, ctx) {
    return (await inPreview(input, ctx)) as { summary: string; changes: PreviewChange[] }
  },
  execute({ title, text }) {
    writes.push(title)
    notes.set(title, text)
    return { title }
  },
})
const read = defineTool({
  name: 'note.read',
  description: 'Reads a note.',
  effect: 'read',
  inputSchema: z.object({ title: z.string() }),
  execute: ({ title }) => notes.get(title) ?? null,
})
const twice = defineTool({
  name: 'note.twice',
  description: 'Writes a note to two places, and an unpreviewed one.',
  effect: 'write',
  inputSchema: z.object({ title: z.string() }),
  preview: 'calls',
  async execute({ title }, ctx) {
    await ctx.call('note.read', { title })
    await ctx.call('note.write', { title: `${title}-1`, text: 'one' })
    await ctx.call('note.burn', { title })
    return ctx.call('note.write', { title: `${title}-2`, text: 'two' })
  },
})
const burn = defineTool({
  name: 'note.burn',
  description: 'Burns a note.',
  effect: 'destructive',
  inputSchema: z.object({ title: z.string() }),
  execute: ({ title }) => void writes.push(`burnt ${title}`),
})

const change = ({ title, text }: { title: string; text: string }) => ({
  summary: `Writes ${title}.`,
  changes: [{ target: title, before: notes.get(title) ?? null, after: text }],
})

let crib: Crib
beforeEach(() => {
  notes.clear()
  writes.length = 0
  inPreview = change
})
beforeAll(async () => {
  crib = await createTestCrib({
    tools: [write, read, twice, burn],
    secrets: { note_key: 'key-of-notes' },
  })
})
afterAll(() => crib.close())

const preview = (input: JsonValue, name = 'note.write', as = owner) =>
  crib.api.previewTool(as, { name, input })
const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => (isToolError(error) ? error : undefined),
  )

test('a preview shows what a call would do, and is on record as such', async () => {
  const { callId, digest, ...shown } = await preview({ title: 'a', text: 'new' })
  expect(shown).toEqual({
    summary: 'Writes a.',
    changes: [{ target: 'a', before: null, after: 'new' }],
  })
  expect(digest).toMatch(/^[0-9a-f]{64}$/)
  expect(writes).toEqual([])
  expect(await crib.calls.get(callId)).toMatchObject({
    tool: 'note.write',
    status: 'completed',
    purpose: 'preview',
    output: { summary: 'Writes a.' },
  })
  await crib.call('note.burn', { title: 'a' })
  const used = async () => (await crib.api.readUsage(owner, { by: 'tool' })).items
  await expect.poll(used, { timeout: 10_000 }).toMatchObject([{ subject: 'note.burn', calls: 1 }])
})

test('the digest depends on the changes, and not on their order or on words', async () => {
  const digestOf = async (changes: PreviewChange[], summary = 's') => {
    inPreview = () => ({ summary, changes })
    return (await preview({ title: 'a', text: '' })).digest
  }
  const [one, two] = [{ target: 'a', after: 1 }, { target: 'b' }]
  const digest = await digestOf([one, two])
  expect(await digestOf([two, one], 'other words')).toBe(digest)
  expect(await digestOf([{ after: 1, target: 'a' }, two])).toBe(digest)
  expect(await digestOf([one])).not.toBe(digest)
  expect(await digestOf([{ target: 'a', after: 2 }, two])).not.toBe(digest)
})

test.each([
  ['a call of a tool with an effect', (ctx: CallContext) => ctx.call('note.burn', { title: 'x' })],
  ['a file', (ctx: CallContext) => ctx.workspace.write('a.txt', 'x')],
  ['a folder', (ctx: CallContext) => ctx.workspace.makeFolder('a')],
  ['a process', (ctx: CallContext) => ctx.processes.start({ command: 'true' })],
  ['a request', (ctx: CallContext) => ctx.fetch('https://example.com', { method: 'POST' })],
  [
    'a request object',
    (ctx: CallContext) => ctx.web.fetch(new Request('https://example.com', { method: 'DELETE' })),
  ],
  ['a page', (ctx: CallContext) => ctx.web.readPage('https://example.com', { method: 'PUT' })],
])('a preview that writes is refused: %s', async (_what, act) => {
  inPreview = async (input, ctx) => {
    await act(ctx)
    return change(input)
  }
  const error = await errorOf(preview({ title: 'a', text: 'b' }))
  expect(error?.code).toBe('denied')
  expect(error?.message).toContain('A preview has no effects')
  expect(writes).toEqual([])
})

test('a preview reads with other tools, on record below it', async () => {
  notes.set('a', 'old')
  inPreview = async ({ title, text }, ctx) => ({
    summary: 's',
    changes: [{ target: title, before: await ctx.call('note.read', { title }), after: text }],
  })
  const { changes, callId } = await preview({ title: 'a', text: 'new' })
  expect(changes).toEqual([{ target: 'a', before: 'old', after: 'new' }])
  expect((await crib.calls.list({ parentId: callId })).items).toMatchObject([
    { tool: 'note.read', purpose: 'preview' },
  ])
})

test.each([
  ['throws', () => Promise.reject(new ToolError('upstream_failed', 'no')), 'upstream_failed'],
  ['never ends', () => new Promise(() => undefined), 'timeout'],
  ['returns something else', () => ({ text: 'hello' }), 'output_invalid'],
])('a preview that %s is an error', async (_what, act, code) => {
  inPreview = act
  expect((await errorOf(preview({ title: 'a', text: 'b' })))?.code).toBe(code)
})

test('secrets of the tool are left out of its preview', async () => {
  inPreview = (_input, ctx) => ({
    summary: `With ${ctx.secrets['note_key']}.`,
    changes: [{ target: 'a', after: `key ${ctx.secrets['note_key']}` }],
  })
  expect(JSON.stringify(await preview({ title: 'a', text: 'b' }))).not.toContain('key-of-notes')
})

test('a long preview is cut, and its digest covers what is cut off', async () => {
  const changes = Array.from({ length: 250 }, (_, index) => ({ target: `n${index}` }))
  inPreview = () => ({ summary: 'x'.repeat(2000), changes })
  const first = await preview({ title: 'a', text: 'b' })
  expect(first).toMatchObject({ count: 250 })
  expect([first.changes.length, first.summary.length]).toEqual([100, 500])
  changes[240] = { target: 'another' }
  expect((await preview({ title: 'a', text: 'b' })).digest).not.toBe(first.digest)
})

test('a tool without a preview, a wrong input and a hidden tool are refused', async () => {
  expect((await errorOf(preview({ title: 'a' }, 'note.burn')))?.code).toBe('invalid_request')
  expect((await errorOf(preview({ title: 1 })))?.code).toBe('invalid_input')
  expect((await errorOf(preview({}, 'no.such')))?.code).toBe('tool_not_found')
  const nobody = { ...owner, permissions: [] }
  expect((await errorOf(preview({}, 'note.write', nobody)))?.code).toBe('forbidden')
})

test('the preview of a tool that calls others runs its reads and previews its effects', async () => {
  notes.set('n-1', 'before')
  const { callId: _, digest: __, ...shown } = await preview({ title: 'n' }, 'note.twice')
  expect(shown).toEqual({
    summary: 'Writes n-1. Calls note.burn. Writes n-2.',
    changes: [
      { target: 'n-1', before: 'before', after: 'one' },
      { target: 'note.burn', after: { title: 'n' } },
      { target: 'n-2', before: null, after: 'two' },
    ],
    warnings: ["note.burn can't be previewed: it has no preview"],
  })
  expect(writes).toEqual([])
})
