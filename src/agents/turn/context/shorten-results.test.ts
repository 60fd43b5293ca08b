import fc from 'fast-check'
import { expect, test } from 'vitest'
import { estimateParts, shortenResults } from './shorten-results.ts'
import { readParts, toJson } from '../ui-parts.ts'

const result = (toolCallId: string, output: unknown, more: object = {}) => ({
  type: 'tool-read',
  toolCallId,
  state: 'output-available',
  input: {},
  output,
  ...more,
})

function toMessages(parts: readonly object[]) {
  return [{ id: 'm', role: 'assistant' as const, parts: toJson(parts) as never[] }]
}

const outputs = (messages: ReturnType<typeof shortenResults>) =>
  messages.flatMap(readParts).map(({ output }) => output)

test('older results make room for the newest, with head and tail', () => {
  const text = (letter: string) => `<${letter.repeat(3000)}>`
  const messages = toMessages([result('1', text('a')), result('2', text('b'))])
  const [older, newest] = outputs(shortenResults(messages, 1300))
  expect(newest).toBe(text('b'))
  expect(older).toMatch(/^<a+\n… \(\d+ characters of this result are left out.*\n+a+>$/)
})

test("a result that fits stays as it is, and a provider's own result is never changed", () => {
  const signed = result('1', 'x'.repeat(9000), { providerExecuted: true })
  const messages = toMessages([signed, result('2', { n: 1 })])
  expect(shortenResults(messages, 10_000)).toEqual(messages)
  expect(outputs(shortenResults(messages, 100))[0]).toBe(signed.output)
})

test('a picture counts by what it is to a model, not by its bytes', () => {
  const data = 'A'.repeat(1_000_000)
  const output = { $content: [{ type: 'image', data, mimeType: 'image/png' }] }
  const messages = toMessages([result('1', output)])
  expect(outputs(shortenResults(messages, 2000))).toEqual([output])
})

test('results fit into the room, however many and long, unless there are too many to name', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20_000), { minLength: 1, maxLength: 20 }), (lengths) => {
      const parts = lengths.map((length, at) => result(String(at), 'word '.repeat(length / 5)))
      const short = shortenResults(toMessages(parts), 4000)
      expect(estimateParts(short.flatMap((message) => message.parts))).toBeLessThan(4800)
    }),
  )
})
