import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseStatus } from './parse-status.ts'

test('the head of a repository is read', () => {
  const text =
    '# branch.oid abc\0# branch.head feature/x\0# branch.upstream origin/feature/x\0# branch.ab +2 -1\0'
  expect(parseStatus(text)).toEqual({
    branch: 'feature/x',
    commit: 'abc',
    upstream: 'origin/feature/x',
    ahead: 2,
    behind: 1,
    changes: [],
  })
  expect(parseStatus('# branch.oid (initial)\0# branch.head (detached)\0')).toMatchObject({
    branch: null,
    commit: null,
    upstream: null,
    ahead: null,
  })
})

/** Anything but NUL may be in a path. */
const somePath = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 20 })
  .filter((path) => !path.includes('\0'))
const codes = { '.': null, A: 'added', M: 'modified', D: 'deleted', T: 'type changed' } as const
const someCode = fc.constantFrom(...(Object.keys(codes) as (keyof typeof codes)[]))
const id = 'a'.repeat(40)
const someEntry = fc.oneof(
  fc.record({ path: somePath, x: someCode, y: someCode }).map(({ path, x, y }) => ({
    text: `1 ${x}${y} N... 100644 100644 100644 ${id} ${id} ${path}\0`,
    change: { path, from: null, staged: codes[x], unstaged: codes[y] },
  })),
  fc.record({ path: somePath, from: somePath, y: someCode }).map(({ path, from, y }) => ({
    text: `2 R${y} N... 100644 100644 100644 ${id} ${id} R100 ${path}\0${from}\0`,
    change: { path, from, staged: 'renamed', unstaged: codes[y] },
  })),
  somePath.map((path) => ({
    text: `? ${path}\0`,
    change: { path, from: null, staged: null, unstaged: 'untracked' },
  })),
  somePath.map((path) => ({
    text: `u UU N... 100644 100644 100644 100644 ${id} ${id} ${id} ${path}\0`,
    change: { path, from: null, staged: 'conflict', unstaged: 'conflict' },
  })),
)

test('every path is read as it is, with spaces, line breaks and quotes', () => {
  fc.assert(
    fc.property(fc.array(someEntry), (entries) => {
      const { changes } = parseStatus(entries.map(({ text }) => text).join(''))
      expect(changes).toEqual(entries.map(({ change }) => change))
    }),
  )
})

test('cut output gives whole entries only', () => {
  fc.assert(
    fc.property(fc.array(someEntry, { minLength: 1 }), fc.nat(), (entries, at) => {
      const text = entries.map(({ text }) => text).join('')
      const { changes } = parseStatus(text.slice(0, at % text.length))
      expect(changes).toEqual(entries.slice(0, changes.length).map(({ change }) => change))
    }),
  )
})

test('anything else gives neither a state nor an error', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(Array.isArray(parseStatus(text).changes)).toBe(true)
    }),
  )
})
