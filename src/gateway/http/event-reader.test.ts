import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEventReader } from './event-reader.ts'

function readAll(pieces: readonly string[]): string[] {
  const found: string[] = []
  const reader = createEventReader((data) => found.push(data))
  for (const piece of pieces) reader.push(piece)
  return found
}

const streams = fc
  .array(fc.constantFrom('data: ', 'event: message', 'a', '\r', '\n', '\r\n', '\n\n', ': x'))
  .map((parts) => parts.join(''))

test('wherever a stream is cut, its events are the same', () => {
  fc.assert(
    fc.property(streams, fc.array(fc.nat(8)), (stream, cuts) => {
      const pieces: string[] = []
      let rest = stream
      for (const cut of cuts) {
        pieces.push(rest.slice(0, cut))
        rest = rest.slice(cut)
      }
      expect(readAll([...pieces, rest])).toEqual(readWhole(stream))
    }),
  )
})

/** By the letter: everything up to an empty line, at once. */
function readWhole(stream: string): string[] {
  const found: string[] = []
  const events = stream.split(/\r?\n\r?\n|\r\r/).slice(0, -1)
  for (const event of events) {
    const lines = event.split(/\r?\n|\r/)
    const data = lines.filter((line) => line.startsWith('data:'))
    const type = lines.find((line) => line.startsWith('event:'))
    const isMessage = type === undefined || type.slice(6).trim() === 'message'
    if (isMessage && data.length > 0) {
      found.push(data.map((line) => line.slice(5).replace(/^ /, '')).join('\n'))
    }
  }
  return found
}

test('an event that comes in very many pieces is not gone through with each of them', () => {
  const piece = 'x'.repeat(1024)
  const [data = ''] = readAll(['data: ', ...Array.from({ length: 16_384 }, () => piece), '\n\n'])
  expect(data.length).toBe(16_777_216)
})
