import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Crib, defineTool, ToolError, z } from '../src/app/index.ts'
import { ownerOf } from '../src/app/owner.ts'
import type { Caller } from '../src/core/kernel/call.ts'
import { isToolError } from '../src/core/kernel/errors.ts'
import { createTestCrib } from '../src/testing/index.ts'

const owner = ownerOf()
const boris: Caller = { ...owner, principal: { kind: 'user', id: 'boris' } }
const guest: Caller = { ...boris, permissions: ['tools.call', 'audit.read'] }

/** The state that the tools change, and what has happened to it. */
const notes = new Map<string, string>()
const log: string[] = []
let breakUndo: (() => void) | undefined

const tool = (name: string, more: object) => ({
  name,
  description: 'A tool for the tests of undo.',
  effect: 'write' as const,
  inputSchema: z.object({ title: z.string(), text: z.string().default('') }),
  ...more,
})
const set = defineTool({
  ...tool('note.set', {}),
  inputSchema: z.object({ title: z.string(), text: z.string().default('') }),
  outputSchema: z.object({ before: z.string().nullable() }),
  execute({ title, text }) {
    const before = notes.get(title) ?? null
    notes.set(title, text)
    log.push(`set ${title}`)
    return { before }
  },
  undo({ title, text }, { before }) {
    breakUndo?.()
    if (notes.get(title) !== text) throw new ToolError('conflict', `${title} has changed since`)
    if (before === null) notes.delete(title)
    else notes.set(title, before)
    log.push(`unset ${title}`)
    return { restored: before }
  },
})
const add = defineTool({
  ...tool('note.add', {}),
  inputSchema: z.object({ title: z.string() }),
  execute({ title }) {
    log.push(`add ${title}`)
    return { id: `id of ${title}` }
  },
  undo: { tool: 'note.remove', input: { id: '{{output.id}}', because: 'undo of {{input.title}}' } },
})
const remove = defineTool({
  ...tool('note.remove', {}),
  effect: 'destructive',
  approval: 'always',
  inputSchema: z.object({ id: z.string(), because: z.string() }),
  execute: ({ id, because }) => void log.push(`remove ${id}, ${because}`),
})
const short = defineTool({
  ...tool('note.short', {}),
  inputSchema: z.object({}),
  undoMs: 1000,
  execute: () => null,
  undo: () => undefined,
})
const final = defineTool({
  ...tool('note.final', {}),
  inputSchema: z.object({}),
  execute: () => void log.push('final'),
})
const fails = defineTool({
  ...tool('note.fails', {}),
  inputSchema: z.object({}),
  execute: () => Promise.reject(new ToolError('tool_failed', 'no')),
  undo: () => undefined,
})
const secretive = defineTool({
  ...tool('note.secretive', {}),
  inputSchema: z.object({ password: z.string().meta({ format: 'password', writeOnly: true }) }),
  execute: () => null,
  undo: () => undefined,
})
const many = defineTool({
  ...tool('note.many', {}),
  inputSchema: z.object({ titles: z.array(z.string()), last: z.string().optional() }),
  async execute({ titles, last }, ctx) {
    for (const title of titles) await ctx.call('note.set', { title, text: 'new' })
    await ctx.call('note.peek', {})
    if (last !== undefined) await ctx.call(last, last === 'note.add' ? { title: 'x' } : {})
    return titles.length
  },
  undo: 'calls',
})
const peek = defineTool({
  ...tool('note.peek', {}),
  effect: 'read',
  inputSchema: z.object({}),
  execute: () => notes.size,
})
const tools = [set, add, remove, short, final, fails, secretive, many, peek]

let crib: Crib
beforeAll(async () => {
  crib = await createTestCrib({ tools })
})
afterAll(() => crib.close())
beforeEach(() => {
  notes.clear()
  log.length = 0
  breakUndo = undefined
})

async function called(name: string, input: object = {}): Promise<string> {
  const { callId = '' } = await crib.api.call({ tool: name, input, caller: owner, durable: true })
  return callId
}
const undo = (id: string, as = owner) => crib.api.undoCall(as, { id })
const stateOf = (id: string) => crib.api.findUndo(owner, { id })
const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (isToolError(error) ? `${error.code}: ${error.message}` : String(error)),
  )
const settled = (callId = '') => crib.api.findCall(owner, { id: callId, wait: 20 })

test('a call is undone by a call that names it, with its input and output', async () => {
  notes.set('a', 'old')
  const callId = await called('note.set', { title: 'a', text: 'new' })
  expect(await stateOf(callId)).toEqual({ isPossible: true, until: expect.any(String) })
  const undone = await undo(callId)
  expect(undone).toMatchObject({ status: 'completed', output: { restored: 'old' } })
  expect(notes.get('a')).toBe('old')
  const record = await crib.calls.get(undone.callId ?? '')
  expect(record).toMatchObject({ tool: 'note.set', undoes: callId })
  const { items } = await crib.api.readEvents(owner, { callId: record.callId, limit: 20 })
  expect(items.map(({ type }) => type)).toEqual([
    'call.requested',
    'call.started',
    'call.completed',
    'call.undone',
  ])
  expect(items.at(-1)?.data).toEqual({ undoes: callId })
  expect(await stateOf(callId)).toMatchObject({ isPossible: false, undoneBy: record.callId })
})

test('a call is undone once, also when many ask at once', async () => {
  const callId = await called('note.set', { title: 'a', text: 'new' })
  const results = await Promise.all(Array.from({ length: 8 }, () => undo(callId).catch(() => null)))
  const ids = new Set(results.flatMap((result) => result?.callId ?? []))
  expect([ids.size, log]).toEqual([1, ['set a', 'unset a']])
  expect(await errorOf(undo(callId))).toContain('not_undoable')
  expect(await errorOf(undo(callId))).toContain(`it was undone by ${[...ids][0]}`)
})

test('another tool undoes it, under its own policy', async () => {
  const callId = await called('note.add', { title: 'a' })
  const asked = await undo(callId)
  expect(asked).toMatchObject({ status: 'waiting', waitingFor: 'approval' })
  expect(await errorOf(undo(callId))).toContain(`it is being undone by ${asked.callId}`)
  await crib.approvals.approve({ approvalId: asked.approvalId ?? '' })
  expect(await settled(asked.callId)).toMatchObject({ status: 'completed', undoes: callId })
  expect(log).toEqual(['add a', 'remove id of a, undo of a'])
})

test('an undo that was rejected or failed may be tried again', async () => {
  const callId = await called('note.add', { title: 'a' })
  const asked = await undo(callId)
  await crib.approvals.reject({ approvalId: asked.approvalId ?? '' })
  await settled(asked.callId)
  expect((await undo(callId)).status).toBe('waiting')
  const other = await called('note.set', { title: 'b', text: 'new' })
  breakUndo = () => {
    throw new ToolError('upstream_failed', 'away')
  }
  expect(await undo(other)).toMatchObject({ status: 'failed', error: { code: 'upstream_failed' } })
  breakUndo = undefined
  expect(await undo(other)).toMatchObject({ status: 'completed' })
})

test('an undo can refuse: the note has changed since', async () => {
  const callId = await called('note.set', { title: 'a', text: 'new' })
  notes.set('a', 'changed by hand')
  expect(await undo(callId)).toMatchObject({ status: 'failed', error: { code: 'conflict' } })
  expect(notes.get('a')).toBe('changed by hand')
})

test.each([
  [
    'an undo',
    async () => (await undo(await called('note.set', { title: 'a' }))).callId ?? '',
    'an undo cannot be undone',
  ],
  ['a tool without undo', () => called('note.final'), 'note.final has no undo'],
  ['a failed call', () => called('note.fails'), 'it is failed'],
  ['a read', () => called('note.peek'), 'note.peek has no undo'],
  [
    'a call with a secret input',
    () => called('note.secretive', { password: 'hunter2' }),
    'its input held secrets',
  ],
])('%s cannot be undone', async (_what, make, reason) => {
  const callId = await make()
  expect(await errorOf(undo(callId))).toContain(reason)
  expect(await stateOf(callId)).toMatchObject({ isPossible: false })
})

test('a call can be undone within its window only', async () => {
  const callId = await called('note.short')
  const { until = '' } = await stateOf(callId)
  await expect
    .poll(async () => (await stateOf(callId)).isPossible, { timeout: 5000, interval: 200 })
    .toBe(false)
  expect(await errorOf(undo(callId))).toContain(`it is too late: it could be undone until ${until}`)
})

test('calls of others are undone by those who may manage calls', async () => {
  const callId = await called('note.set', { title: 'a', text: 'new' })
  expect(await errorOf(undo(callId, guest))).toContain('forbidden')
  expect(await errorOf(undo(callId, { ...guest, permissions: ['tools.call'] }))).toContain(
    'not_found',
  )
  expect(await undo(callId, boris)).toMatchObject({ status: 'completed' })
})

test('a call that does not exist is not found', async () => {
  const missing = await errorOf(crib.calls.undo('call_00000000000000000000000000000000'))
  expect(missing).toContain('not_found')
})

test('calls that a call made are undone last first', async () => {
  notes.set('a', 'old')
  const callId = await called('note.many', { titles: ['a', 'b', 'c'] })
  log.length = 0
  const undone = await undo(callId)
  expect(undone).toMatchObject({ status: 'completed' })
  expect(log).toEqual(['unset c', 'unset b', 'unset a'])
  expect([...notes]).toEqual([['a', 'old']])
  const { items } = await crib.calls.list({ parentId: undone.callId ?? '' })
  expect(items.map(({ tool, undoes }) => [tool, typeof undoes])).toEqual(
    Array.from({ length: 3 }, () => ['note.set', 'string']),
  )
})

test('undoing nested calls stops at the first that cannot be undone, and names what is left', async () => {
  const callId = await called('note.many', { titles: ['a', 'b', 'c'] })
  notes.set('b', 'changed by hand')
  log.length = 0
  const stopped = await undo(callId)
  expect(stopped.error).toMatchObject({
    code: 'not_undoable',
    message: '1 of 3 calls are undone; 2 left: note.set: b has changed since',
  })
  expect(stopped.error?.issues?.map(({ message }) => message)).toEqual([
    'note.set is not undone: note.set: b has changed since',
    'note.set is not undone',
  ])
  expect(log).toEqual(['unset c'])
  // Once it is in order, the rest is undone; nothing twice.
  notes.set('b', 'new')
  expect(await undo(callId)).toMatchObject({ status: 'completed' })
  expect(log).toEqual(['unset c', 'unset b', 'unset a'])
})

test('a nested call without undo stops it before anything is undone', async () => {
  const callId = await called('note.many', { titles: ['a'], last: 'note.final' })
  log.length = 0
  expect((await undo(callId)).error?.message).toContain('0 of 2 calls are undone')
  expect(log).toEqual([])
})

test('where one of them needs approval, the whole undo waits, and continues', async () => {
  const callId = await called('note.many', { titles: ['a'], last: 'note.add' })
  log.length = 0
  const asked = await undo(callId)
  expect(asked.status).toBe('waiting')
  const [approval] = (await crib.approvals.list({ status: 'pending', tool: 'note.remove' })).items
  await crib.approvals.approve({ approvalId: approval?.id ?? '' })
  expect(await settled(asked.callId)).toMatchObject({ status: 'completed' })
  expect(log).toEqual(['remove id of x, undo of x', 'unset a'])
})
