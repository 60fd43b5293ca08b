import { expect, test } from 'vitest'
import { describeLines } from './describe-lines.ts'
import { findLanguage, loadParser } from './languages.ts'
import { splitLines } from './split-lines.ts'
import { tokenize } from './tokenize.ts'

test.each([
  ['ts', undefined, 'typescript'],
  [undefined, 'src/a.tsx', 'typescript'],
  [undefined, 'Dockerfile', 'dockerfile'],
  [undefined, 'deploy/Makefile', undefined],
  [undefined, 'notes', undefined],
  ['constructor', 'x.__proto__', undefined],
  ['no such', 'a.py', 'python'],
] as const)('%s in %s is %s', (name, path, language) => {
  expect(findLanguage(name, path)).toBe(language)
})

test('words, strings and comments have a kind, and nothing is lost', async () => {
  const lines = ["const a: number = 'b' // c", '', '/* open', 'still */ return 12']
  const tokens = tokenize(lines, await loadParser('typescript'))
  expect(tokens.map((line) => line.map(({ text }) => text).join(''))).toEqual(lines)
  expect(tokens[0]?.filter(({ kind }) => kind !== undefined)).toEqual([
    { text: 'const', kind: 'keyword' },
    { text: 'a', kind: 'name' },
    { text: 'number', kind: 'type' },
    { text: "'b'", kind: 'string' },
    { text: '// c', kind: 'comment' },
  ])
  expect(tokens[3]?.[0]).toEqual({ text: 'still */', kind: 'comment' })
})

test('every language reads any text to its end, or leaves the rest plain', async () => {
  const text = [
    '{[("\'`${`#!<?php <!--<![CDATA[ /*(*"""\'\'\'<<EOF',
    '\\'.repeat(200),
    '$('.repeat(100),
    '<a '.repeat(100),
    '@media { # // -- %{ }',
    'a'.repeat(1999),
  ]
  for (const language of [
    'typescript',
    'json',
    'python',
    'shell',
    'c',
    'scss',
    'sql',
    'html',
    'go',
    'rust',
    'ruby',
    'yaml',
    'toml',
    'lua',
    'perl',
    'swift',
    'r',
    'powershell',
    'dockerfile',
    'properties',
    'protobuf',
    'diff',
    'kotlin',
    'scala',
    'dart',
  ] as const) {
    const tokens = tokenize(text, await loadParser(language))
    for (const [index, line] of tokens.entries()) {
      expect(line.map(({ text }) => text).join(''), language).toBe(text[index])
    }
  }
})

test('rules that take too long, or do not move on, leave the rest plain', () => {
  let time = 0
  const slow = { token: (stream: { next(): unknown }) => (stream.next(), 'keyword') }
  const lines = Array.from({ length: 200 }, () => 'ab')
  expect(tokenize(lines, slow as never, () => (time += 200)).length).toBe(50)
  expect(tokenize(lines, { token: () => null }).length).toBe(0)
})

test('lines are counted without the last end, and cut at a limit', () => {
  expect(splitLines('a\r\nb\n', { lines: 10, chars: 100 })).toEqual({
    lines: ['a', 'b'],
    isCut: false,
    count: 2,
  })
  expect(splitLines('a\nb\nc', { lines: 2, chars: 100 })).toMatchObject({ isCut: true, count: 3 })
  expect(splitLines('abcdef\nb', { lines: 2, chars: 3 })).toEqual({
    lines: ['abc'],
    isCut: true,
    count: 2,
  })
})

test.each([
  [{ from: 1, shown: 12, count: 12, total: undefined }, '12 lines'],
  [{ from: 1, shown: 200, count: 200, total: 5000 }, 'Lines 1–200 of 5,000'],
  [{ from: 41, shown: 10, count: 10, total: undefined }, 'Lines 41–50'],
  [{ from: 1, shown: 1, count: 1, total: undefined }, '1 line'],
])('%j is highlighted as %s', (range, said) => {
  expect(describeLines(range)).toBe(said)
})
