import { mkdir, open, readdir, readFile, rmdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTempFolder } from '../../contract/temp-store.ts'
import { Journal, readJournal } from './journal.ts'

let folder: Awaited<ReturnType<typeof createTempFolder>>
beforeEach(async () => {
  folder = await createTempFolder()
})
afterEach(() => folder.remove())

const left = () => readJournal(folder.path).map(({ head, body }) => [head, body.toString()])

test('open entries are left for the next process, with a note on how to read them', () => {
  const journal = new Journal(folder.path, 'how')
  journal.append(Buffer.from('one '))
  journal.append(Buffer.from('two '))
  const first = journal.turn()
  journal.append(Buffer.from('three'))
  const second = journal.turn()
  expect(left()).toEqual([
    ['how', 'one two '],
    ['how', 'three'],
    ['', ''],
  ])
  first()
  expect(left().map(([, body]) => body)).toEqual(['', 'three', ''])
  journal.append(Buffer.from('four'))
  second()
  expect(left().map(([, body]) => body)).toEqual(['', '', 'four'])
})

test('files are used again, and none is left by a journal that closes with nothing in it', async () => {
  const journal = new Journal(folder.path, 'how')
  for (let turn = 0; turn < 50; turn += 1) {
    journal.append(Buffer.from(`turn ${turn}`))
    journal.turn()()
  }
  expect(await readdir(folder.path)).toHaveLength(2)
  journal.close()
  expect(await readdir(folder.path)).toEqual([])
})

test('open entries are kept when it closes', () => {
  const journal = new Journal(folder.path, 'how')
  journal.append(Buffer.from('kept'))
  journal.close()
  expect(left()).toEqual([['how', 'kept']])
})

test('without another file it continues in its current one, and loses nothing', async () => {
  const journal = new Journal(folder.path, 'how')
  await mkdir(join(folder.path, 'journal-2'))
  journal.append(Buffer.from('one '))
  const first = journal.turn()
  journal.append(Buffer.from('two '))
  const second = journal.turn()
  second()
  expect(await readFile(join(folder.path, 'journal-1'), 'utf8')).toBe('how\none two ')
  await rmdir(join(folder.path, 'journal-2'))
  const third = journal.turn()
  third()
  expect(left().map(([, body]) => body)).toEqual(['one two ', ''])
  first()
  expect(left().map(([, body]) => body)).toEqual(['', ''])
})

test('few files are shared where many turns are not struck out, and struck out they are free again', async () => {
  const journal = new Journal(folder.path, 'how')
  const turns = Array.from({ length: 30 }, (_, turn) => {
    journal.append(Buffer.from(`turn ${turn} `))
    return journal.turn()
  })
  expect((await readdir(folder.path)).length).toBeLessThan(10)
  expect(
    left()
      .map(([, body]) => body?.match(/turn/g)?.length ?? 0)
      .reduce((a, b) => a + b),
  ).toBe(30)
  journal.append(Buffer.from('last'))
  for (const strikeOut of turns) strikeOut()
  expect(left().some(([, body]) => body?.includes('last'))).toBe(true)
  journal.turn()()
  journal.close()
})

test('striking out after the end touches no file', async () => {
  const journal = new Journal(folder.path, 'how')
  journal.append(Buffer.from('kept'))
  const strikeOut = journal.turn()
  journal.close()
  const other = join(folder.path, 'other')
  // The first number that is free is the journal's.
  const handles = await Promise.all([1, 2, 3, 4].map(() => open(other, 'a')))
  await writeFile(other, 'precious')
  strikeOut()
  expect(await readFile(other, 'utf8')).toBe('precious')
  await Promise.all(handles.map((handle) => handle.close()))
  expect(left()).toEqual([['how', 'kept']])
})

test('a disk without room refuses the line, and what was there before stays readable', async () => {
  await symlink('/dev/full', join(folder.path, 'journal-2'))
  const journal = new Journal(folder.path, 'how')
  journal.append(Buffer.from('whole'))
  journal.turn()
  expect(() => journal.append(Buffer.from('refused'))).toThrow(/ENOSPC/)
  expect(await readFile(join(folder.path, 'journal-1'), 'utf8')).toBe('how\nwhole')
})
