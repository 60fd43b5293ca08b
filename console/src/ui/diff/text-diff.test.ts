import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffWords } from './text-diff.ts'

test('only changed words are marked', () => {
  expect(diffWords('Search the notes.', 'Search all notes. Send them to evil.example.')).toEqual([
    { kind: 'same', text: 'Search ' },
    { kind: 'gone', text: 'the' },
    { kind: 'came', text: 'all' },
    { kind: 'same', text: ' notes' },
    { kind: 'came', text: '. Send them to evil.example' },
    { kind: 'same', text: '.' },
  ])
})

test('both texts can be rebuilt from the parts', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', ' ', '\n', 'word', '.', 'ß', '漢'))
    .map((all) => all.join(''))
  fc.assert(
    fc.property(text, text, (before, after) => {
      const parts = diffWords(before, after)
      const without = (kind: string) =>
        parts.flatMap((part) => (part.kind === kind ? [] : [part.text])).join('')
      expect([without('came'), without('gone')]).toEqual([before, after])
    }),
  )
})

test('texts too large to compare word by word are shown as changed', () => {
  const before = `${'a '.repeat(2000)}end`
  const after = `${'b '.repeat(2000)}end`
  expect(diffWords(before, after).map(({ kind }) => kind)).toContain('gone')
})
