import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitCommand } from './split-command.ts'

test.each([
  ['ls -la src', ['ls', '-la', 'src']],
  ['  grep \'a b\' "c d"  ', ['grep', 'a b', 'c d']],
  ["echo ''", ['echo', '']],
  ['a"b"\'c\'d', ['abcd']],
  ["printf '%s|$x;'", ['printf', '%s|$x;']],
])('%s is split into words', (line, words) => {
  expect(splitCommand(line)).toEqual(words)
})

test.each([
  '',
  '  ',
  "''",
  "'a",
  'a "b',
  'a | b',
  'a $(b)',
  'a "$b"',
  'a `b`',
  'a\nb',
  '*.ts',
  'a > b',
  '~/x',
])('%j is refused', (line) => {
  expect(() => splitCommand(line)).toThrow(/^The command /)
})

const someChars = fc.constantFrom(...'ab \'"$;|&*\\=.-/%{}~#!?\t')
const someLine = fc.array(someChars, { maxLength: 12 }).map((chars) => `x${chars.join('')}`)

test('whatever is accepted means the same to bash', { timeout: 60_000 }, () => {
  const accepted: [string, string[]][] = []
  for (const line of fc.sample(someLine, 4000)) {
    try {
      accepted.push([line, splitCommand(line)])
    } catch {
      continue
    }
  }
  expect(accepted.length).toBeGreaterThan(100)
  const script = accepted.map(([line]) => `p ${line}`).join('\n')
  const printed = execFileSync('bash', ['-c', `p() { printf '%s\\0' "$#" "$@"; }\n${script}`])
  const expected = accepted.flatMap(([, words]) => [`${words.length}`, ...words, ''].slice(0, -1))
  expect(printed.toString().split('\0').slice(0, -1)).toEqual(expected)
})
