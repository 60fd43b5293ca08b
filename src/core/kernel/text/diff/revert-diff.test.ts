import fc from 'fast-check'
import { expect, test } from 'vitest'
import { revertDiff } from './revert-diff.ts'
import { unifiedDiff } from './unified-diff.ts'

const text = fc
  .array(fc.constantFrom('a', 'b', 'c', '', '-x', '+y', ' z', '\\ No newline', '@@ -1 +1 @@'), {
    maxLength: 30,
  })
  .map((lines) => lines.join('\n'))
const whole = fc.tuple(text, fc.constantFrom('', '\n')).map(([lines, end]) => lines + end)

test('reverting a diff restores the original text', () => {
  fc.assert(
    fc.property(whole, whole, (before, after) => {
      const { text: diff } = unifiedDiff({ path: 'a', before, after })
      expect(revertDiff(after, diff)).toBe(before)
    }),
    { numRuns: 300 },
  )
})

test('a text that has changed since is not reverted', () => {
  const { text: diff } = unifiedDiff({ path: 'a', before: 'one\ntwo\n', after: 'one\nTWO\n' })
  expect(revertDiff('one\nthree\n', diff)).toBeUndefined()
  expect(revertDiff('', diff)).toBeUndefined()
})
