import { expect, test } from 'vitest'
import { isToolError } from '../kernel/errors.ts'
import { decidePrograms } from './decide-programs.ts'

const codeOf = (line: string, programs: string[] = []) => {
  try {
    return decidePrograms(line, { shell: programs.length > 0, programs })
  } catch (error) {
    return isToolError(error) ? error.code : String(error)
  }
}

test('with a shell and no list, every line is passed on as it is', () => {
  expect(decidePrograms('a | b', { shell: true, programs: [] })).toBe('a | b')
})

test('without a shell, a line becomes a program with its arguments', () => {
  expect(codeOf(`git log --format='%h %s' "a b" c\\ d HEAD~1 ''`)).toEqual([
    'git',
    'log',
    '--format=%h %s',
    'a b',
    'c d',
    'HEAD~1',
    '',
  ])
  expect(codeOf('')).toBe('invalid_input')
})

test.each([
  'a | b',
  'a; b',
  'a && b',
  'a > b',
  'a $(b)',
  'a `b`',
  'a $B',
  'a "$B"',
  'a\nb',
  '*',
  '(a)',
  "a 'b",
  '~/a',
])('a line that needs a shell is refused: %j', (line) => expect(codeOf(line)).toBe('denied'))

test('a list of programs lets no other start, and no shell', () => {
  expect(codeOf('git status', ['git', 'npm'])).toEqual(['git', 'status'])
  expect(codeOf('bash -c ls', ['git'])).toBe('denied')
  expect(codeOf('./git status', ['git'])).toBe('denied')
  expect(codeOf('git status; ls', ['git'])).toBe('denied')
})
