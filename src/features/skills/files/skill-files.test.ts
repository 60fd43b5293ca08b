import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { skillBounds } from '../model.ts'
import { checkSkillPath, isText, toSkillFiles } from './skill-files.ts'
import { toVersion } from './skill-version.ts'

const fileOf = (path: string, text = 'x') => ({ path, bytes: new TextEncoder().encode(text) })
const pathsOf = (...paths: string[]) =>
  toSkillFiles(paths.map((path) => fileOf(path))).map(({ path }) => path)

describe('the files of a skill', () => {
  test('are sorted, with SKILL.md at the root', () => {
    expect(pathsOf('b.md', 'SKILL.md', 'a/c.md')).toEqual(['SKILL.md', 'a/c.md', 'b.md'])
  })

  test('come out of the one folder that is around all of them', () => {
    expect(pathsOf('top/SKILL.md', 'top/a/b.md')).toEqual(['SKILL.md', 'a/b.md'])
  })

  test('stay where they are when the root has a SKILL.md, whatever else lies deeper', () => {
    expect(pathsOf('SKILL.md', 'sub/SKILL.md')).toEqual(['SKILL.md', 'sub/SKILL.md'])
  })

  test('leave out what operating systems leave behind', () => {
    const litter = ['__MACOSX/._SKILL.md', '.DS_Store', 'a/.DS_Store', '.git/config', 'Thumbs.db']
    expect(pathsOf('SKILL.md', ...litter)).toEqual(['SKILL.md'])
  })

  test.each([[['a.md']], [['one/SKILL.md', 'two/a.md']], [['a/b/SKILL.md']], [['skill.md']], [[]]])(
    'are refused without a SKILL.md in its place: %j',
    (paths) => {
      expect(() => pathsOf(...paths)).toThrow(/There is no SKILL\.md/)
    },
  )

  test.each([
    '../a',
    'a/../../b',
    '/etc/passwd',
    'C:/x',
    'c:x',
    'a\\b',
    '..\\b',
    './a',
    'a//b',
    'a/',
    '',
    'nul\0l',
    'line\nfeed',
    'x'.repeat(256),
    'é'.repeat(128),
    'a/'.repeat(300) + 'b',
    '\ud800',
  ])('are refused with the path %j', (path) => {
    expect(() => checkSkillPath(path)).toThrow(expect.objectContaining({ code: 'invalid_skill' }))
    expect(() => pathsOf('SKILL.md', path)).toThrow(
      expect.objectContaining({ code: 'invalid_skill' }),
    )
  })

  test.each([
    ['a.md', 'A.md'],
    ['a.md', 'a.md'],
    ['\u00e9', 'e\u0301'],
    ['a', 'a/b'],
    ['A', 'a/b'],
  ])('are refused when %j and %j are one', (one, other) => {
    expect(() => pathsOf('SKILL.md', one, other)).toThrow(/one name|a file and a folder/)
  })

  test('are refused when they are too many or too large', () => {
    const many = Array.from({ length: skillBounds.files + 1 }, (_, at) => `f${at}`)
    expect(() => pathsOf('SKILL.md', ...many)).toThrow(/502 files/)
    const text = fileOf('a.txt', 'x'.repeat(skillBounds.textBytes + 1))
    expect(() => toSkillFiles([fileOf('SKILL.md'), text])).toThrow(/The text a\.txt has/)
    const binary = { path: 'a.bin', bytes: new Uint8Array(skillBounds.textBytes + 1) }
    expect(toSkillFiles([fileOf('SKILL.md'), binary])).toHaveLength(2)
    const large = { path: 'a.bin', bytes: new Uint8Array(skillBounds.fileBytes + 1) }
    expect(() => toSkillFiles([fileOf('SKILL.md'), large])).toThrow(/a\.bin has/)
    const five = ['a', 'b', 'c', 'd', 'e'].map((path) => ({
      path,
      bytes: new Uint8Array(skillBounds.fileBytes),
    }))
    expect(() => toSkillFiles([fileOf('SKILL.md'), ...five])).toThrow(/It has \d+ bytes/)
  })

  test('never leave their folder, whatever the path', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('.', '/', 'a', '\\', ':') }), (path) => {
        let isTaken = true
        try {
          checkSkillPath(path)
        } catch {
          isTaken = false
        }
        if (!isTaken) return
        const { pathname } = new URL(path, 'file:///top/skill/')
        expect(pathname).toBe(`/top/skill/${path}`)
      }),
    )
  })
})

test('text is what is UTF-8 without a NUL', () => {
  expect(isText(new TextEncoder().encode('né\n'))).toBe(true)
  expect(isText(new Uint8Array([0x61, 0]))).toBe(false)
  expect(isText(new Uint8Array([0xff, 0xfe]))).toBe(false)
})

describe('the version of a skill', () => {
  test('is what sha256sum gives over its list of files', async () => {
    const files = [fileOf('b.md', 'two\n'), fileOf('SKILL.md', 'one\n')]
    // printf 'one\n' > SKILL.md; printf 'two\n' > b.md; sha256sum SKILL.md b.md | sha256sum
    expect(await toVersion(files)).toBe(
      'd0c152c3926ce04fc6e1906c1e84b166260dfbe994c436b1222f375045f0ef8c',
    )
  })

  test('is the same in any order, and another for another path, content or border between them', async () => {
    const of = (...pairs: [string, string][]) =>
      toVersion(pairs.map(([path, text]) => fileOf(path, text)))
    const version = await of(['a', '1'], ['b', '2'])
    expect(await of(['b', '2'], ['a', '1'])).toBe(version)
    const others = await Promise.all([
      of(['a', '12'], ['b', '']),
      of(['a', '1'], ['c', '2']),
      of(['a', '1']),
      of(['a', '2'], ['b', '1']),
    ])
    expect(new Set([version, ...others]).size).toBe(5)
  })
})
