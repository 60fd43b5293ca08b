import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { changeNotes, notesPath, readNotes } from './notes-file.ts'
import type { Note } from './notes-file.ts'

let folder: string
let file: string

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'crib notes '))
  file = path.join(folder, 'deep', 'notes.json')
})

afterEach(() => rm(folder, { recursive: true }))

const note = (id: string): Note => ({ id, tenant: 'default', text: id, tags: [], createdAt: 'now' })
const add = (id: string) =>
  changeNotes(file, (notes) => ({ notes: [...notes, note(id)], answer: notes.length + 1 }))

test('without a file there are no notes, and the first change makes it', async () => {
  expect(await readNotes(file)).toEqual([])
  expect(await add('a')).toBe(1)
  expect(await readNotes(file)).toEqual([note('a')])
})

test('fifty changes at once all arrive, in the order they were asked for', async () => {
  const ids = Array.from({ length: 50 }, (_, index) => `n${index}`)
  const totals = await Promise.all(ids.map(add))
  expect(totals).toEqual(ids.map((_, index) => index + 1))
  expect((await readNotes(file)).map(({ id }) => id)).toEqual(ids)
  expect(await readdir(path.dirname(file))).toEqual(['notes.json'])
})

test('a change that throws leaves the file, and the next one still gets its turn', async () => {
  await add('a')
  const failing = changeNotes(file, () => {
    throw new Error('no')
  })
  const following = add('b')
  await expect(failing).rejects.toThrow('no')
  expect(await following).toBe(2)
})

test('a change that hands back the same list writes nothing', async () => {
  await changeNotes(file, (notes) => ({ notes, answer: undefined }))
  await expect(readFile(file)).rejects.toThrow('ENOENT')
})

test('a damaged file is refused and kept', async () => {
  await add('a')
  await writeFile(file, '{"notes": [{"id"')
  await expect(add('b')).rejects.toMatchObject({ code: 'tool_failed' })
  await expect(readNotes(file)).rejects.toMatchObject({ code: 'tool_failed' })
  expect(await readFile(file, 'utf8')).toBe('{"notes": [{"id"')
})

test('the path comes from the environment, else from the current folder', () => {
  const before = process.env['CRIB_NOTES_FILE']
  process.env['CRIB_NOTES_FILE'] = file
  expect(notesPath()).toBe(file)
  process.env['CRIB_NOTES_FILE'] = ''
  expect(notesPath()).toBe(path.resolve('.toolcrib/notes.json'))
  if (before === undefined) delete process.env['CRIB_NOTES_FILE']
  else process.env['CRIB_NOTES_FILE'] = before
})
