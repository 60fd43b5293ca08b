import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLineReader } from './line-reader.ts'

function read(text: string, { sizes, maxBytes }: { sizes: readonly number[]; maxBytes: number }) {
  const lines: string[] = []
  const tooLong: unknown[] = []
  const reader = createLineReader({
    maxBytes,
    onLine: (line) => lines.push(line),
    onOversize: (id, _bytes, isWhole) => isWhole && tooLong.push(id),
  })
  const bytes = Buffer.from(text)
  let from = 0
  for (let turn = 0; from < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1
    reader.push(bytes.subarray(from, from + size))
    from += size
  }
  return { lines, tooLong }
}

test('lines come whole, however the bytes come in', () => {
  const lines = fc.array(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }).map((s) => s.replaceAll('\n', '')),
    { maxLength: 10 },
  )
  const sizes = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(lines, sizes, (given, pieces) => {
      const wanted = given.filter((line) => line !== '').map((line) => Buffer.from(line).toString())
      const text = wanted.map((line) => `${line}\n`).join('')
      expect(read(text, { sizes: pieces, maxBytes: 1_000_000 })).toEqual({
        lines: wanted,
        tooLong: [],
      })
    }),
  )
})

test('of a line that is too long nothing is kept but whose answer it was', () => {
  const long = 'x'.repeat(5000)
  const front = JSON.stringify({ jsonrpc: '2.0', id: 7, result: { long } })
  const back = JSON.stringify({ result: { long }, jsonrpc: '2.0', id: 'a"b' })
  const none = JSON.stringify({ method: 'notifications/message', params: { long } })
  const text = `${front}\n{"short":1}\n${back}\n${none}\n`
  expect(read(text, { sizes: [100], maxBytes: 1000 })).toEqual({
    lines: ['{"short":1}'],
    tooLong: [7, 'a"b', undefined],
  })
})

test('the request of an answer that gets too long is known before its line ends, if the id comes first', () => {
  const told: unknown[] = []
  const reader = createLineReader({
    maxBytes: 1000,
    onLine: () => undefined,
    onOversize: (id, _bytes, isWhole) => told.push([id, isWhole]),
  })
  reader.push(Buffer.from('{"jsonrpc":"2.0","id":7,"result":"'))
  for (let turn = 0; turn < 20; turn += 1) reader.push(Buffer.alloc(100, 'x'))
  expect(told).toEqual([[7, false]])
})
