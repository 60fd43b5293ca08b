import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatApiKey, toKeyText } from './api-key-token.ts'
import { createKeyScanner, type FoundToken } from './key-scanner.ts'

function makeToken(): { token: string; id: string } {
  const id = toKeyText(10, randomBytes)
  return { id, token: formatApiKey({ id, secret: toKeyText(32, randomBytes) }) }
}

/** The whole text, cut at these positions. */
function scan(text: string, cuts: readonly number[] = []): FoundToken[] {
  const push = createKeyScanner()
  const places = [0, ...cuts.toSorted((a, b) => a - b), text.length]
  return places.flatMap((place, index) => push(text.slice(place, places[index + 1] ?? place)))
}

test('a token is found with its position, and text that only looks like one is not', () => {
  const { token, id } = makeToken()
  const last = token.at(-1) === 'x' ? 'y' : 'x'
  const text = `${token.slice(0, -1)}${last}\nkey = "${token}"\r\n`
  expect(scan(text)).toEqual([{ token, id, line: 2, column: 8 }])
})

test('the same tokens are found at the same positions wherever the text is cut', () => {
  const words = fc.array(
    fc.oneof(
      fc.constantFrom('\n', ' ', '=', 'crib_', 'é', '😀', 'crib_0123456789_', 'ABCDEF0123'),
      fc.constant('token'),
    ),
    { maxLength: 30 },
  )
  fc.assert(
    fc.property(words, fc.array(fc.nat(2000), { maxLength: 40 }), (parts, places) => {
      const made: string[] = []
      const text = parts
        .map((part) => (part === 'token' ? (made.push(makeToken().token), made.at(-1)) : part))
        .join('')
      const cuts = places.map((place) => place % (text.length + 1))
      const found = scan(text, cuts)
      expect(found.map(({ token }) => token)).toEqual(made)
      expect(found).toEqual(scan(text))
      for (const { token, line, column } of found) {
        const row = text.split('\n')[line - 1] ?? ''
        expect(row.slice(column - 1, column - 1 + token.length)).toBe(token)
      }
    }),
  )
})

test('a token that starts inside text that looks like one is found', () => {
  const { token, id } = makeToken()
  const text = `crib_0123456789_${'A'.repeat(35)}${token}`
  expect(scan(text)).toEqual([{ token, id, line: 1, column: 52 }])
})

test('one long line is read once, in any number of pieces', () => {
  const push = createKeyScanner()
  const { token, id } = makeToken()
  for (let piece = 0; piece < 2000; piece++) expect(push('x'.repeat(500))).toEqual([])
  expect(push(token)).toEqual([{ token, id, line: 1, column: 1_000_001 }])
})
