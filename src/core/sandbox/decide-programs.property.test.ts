import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isToolError } from '../kernel/errors.ts'
import { decidePrograms } from './decide-programs.ts'

const someChars = fc.constantFrom(...'ab \'"$;|&*\\=.-/%#?\t')
const someLine = fc.array(someChars, { maxLength: 12 }).map((chars) => `x${chars.join('')}`)

/** The words of a line; undefined if it needs a shell. */
function wordsOf(line: string): string[] | undefined {
  try {
    return [...decidePrograms(line, { shell: false, programs: [] })]
  } catch (error) {
    if (isToolError(error)) return undefined
    throw error
  }
}

test('a line that is run without a shell means the same to bash', { timeout: 60_000 }, () => {
  const accepted = fc.sample(someLine, 4000).flatMap((line) => {
    const words = wordsOf(line)
    return words === undefined ? [] : [{ line, words }]
  })
  expect(accepted.length).toBeGreaterThan(100)
  const script = accepted.map(({ line }) => `p ${line}`).join('\n')
  const printed = execFileSync('bash', ['-c', `p() { printf '%s\\0' "$#" "$@"; }\n${script}`])
  const expected = accepted.flatMap(({ words }) => [`${words.length}`, ...words])
  expect(printed.toString().split('\0').slice(0, -1)).toEqual(expected)
})
