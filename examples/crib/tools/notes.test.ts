import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runTool } from 'toolcrib/testing'
import addNote from './add-note.tool.ts'
import deleteNotes from './delete-notes.tool.ts'
import listNotes from './list-notes.tool.ts'

interface Note {
  id: string
  text: string
  tags: string[]
  createdAt: string
}

let folder: string
const before = process.env['CRIB_NOTES_FILE']

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'crib-notes-'))
  process.env['CRIB_NOTES_FILE'] = path.join(folder, 'notes.json')
})

afterEach(async () => {
  if (before === undefined) delete process.env['CRIB_NOTES_FILE']
  else process.env['CRIB_NOTES_FILE'] = before
  await rm(folder, { recursive: true })
})

async function add(text: string, tags: string[] = [], tenant = 'default'): Promise<Note> {
  return (await runTool(addNote, { text, tags }, { tenant })).output.note
}
const list = async (input: object = {}, tenant = 'default') =>
  (await runTool(listNotes, input, { tenant })).output

test('an added note is listed, newest first, with tidy tags', async () => {
  const first = await add('Order drill bits', [' Workshop', 'workshop', 'Shopping'])
  const second = await add('Open at eight')
  expect(first.tags).toEqual(['workshop', 'shopping'])
  expect(first.id).toMatch(/^note_[0-9a-f-]{36}$/)
  expect(await list()).toEqual({ notes: [second, first], total: 2 })
})

test('notes are found by tag and by text, in any case, and cut at the limit', async () => {
  const drill = await add('Order DRILL bits', ['workshop'])
  const paint = await add('Buy paint', ['workshop'])
  await add('Call Ada')
  expect(await list({ tag: 'Workshop', limit: 1 })).toEqual({ notes: [paint], total: 2 })
  expect(await list({ contains: 'drill' })).toEqual({ notes: [drill], total: 1 })
  expect(await list({ ids: [drill.id, 'note_x'] })).toEqual({ notes: [drill], total: 1 })
  expect(await list({ tag: 'workshop', contains: 'ada' })).toEqual({ notes: [], total: 0 })
})

test('deleting takes what is named, says what is missing, and keeps the rest', async () => {
  const [first, second] = [await add('one'), await add('two')]
  const output = (await runTool(deleteNotes, { ids: [first.id, first.id, 'note_x'] })).output
  expect(output).toEqual({ deleted: [first], missing: ['note_x'], remaining: 1, dryRun: false })
  expect(await list()).toEqual({ notes: [second], total: 1 })
  expect((await runTool(deleteNotes, { ids: [first.id] })).output).toEqual({
    deleted: [],
    missing: [first.id],
    remaining: 1,
    dryRun: false,
  })
})

test('a dry run says what would go and changes nothing', async () => {
  const note = await add('one')
  expect((await runTool(deleteNotes, { ids: [note.id], dryRun: true })).output).toEqual({
    deleted: [note],
    missing: [],
    remaining: 0,
    dryRun: true,
  })
  expect(await list()).toEqual({ notes: [note], total: 1 })
})

test("another tenant's notes are neither seen, nor counted, nor deleted", async () => {
  const theirs = await add('secret plan', [], 'acme')
  expect(await list()).toEqual({ notes: [], total: 0 })
  expect((await runTool(deleteNotes, { ids: [theirs.id] })).output).toEqual({
    deleted: [],
    missing: [theirs.id],
    remaining: 0,
    dryRun: false,
  })
  expect(await list({}, 'acme')).toEqual({ notes: [theirs], total: 1 })
})

test('adding, listing and deleting at once loses nothing', async () => {
  const old = await Promise.all(Array.from({ length: 10 }, (_, index) => add(`old ${index}`)))
  const work = old.flatMap(({ id }, index) => [
    runTool(deleteNotes, { ids: [id] }),
    add(`fresh ${index}`),
    list(),
  ])
  await Promise.all(work)
  const { notes, total } = await list()
  expect(total).toBe(10)
  expect(notes.map(({ text }) => text).toSorted()).toEqual(
    Array.from({ length: 10 }, (_, index) => `fresh ${index}`),
  )
})

test('a full notebook takes no further note and says the way out', async () => {
  const note = { id: 'n', tenant: 'default', text: 't', tags: [], createdAt: 'now' }
  const notes = Array.from({ length: 1000 }, () => note)
  await writeFile(path.join(folder, 'notes.json'), JSON.stringify({ notes }))
  await expect(runTool(addNote, { text: 'one more' })).rejects.toMatchObject({
    code: 'quota_exceeded',
    fix: 'Delete some with demo.delete-notes first.',
  })
  expect((await add('theirs', [], 'acme')).text).toBe('theirs')
})

test('an empty note and an empty list of ids are refused', async () => {
  await expect(runTool(addNote, { text: '' })).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(runTool(deleteNotes, { ids: [] })).rejects.toMatchObject({ code: 'invalid_input' })
})
