import { expect, test } from 'vitest'
import type { JsonValue } from '../../core/kernel/json.ts'
import type { JsonRecord } from '../wire/messages.ts'
import { toOutput } from './to-output.ts'

const block = { type: 'text', text: 'a' }

test('an answer that is not a tool result is a failure of its server, not an empty output', () => {
  const wrong: JsonRecord[] = [
    {},
    { content: 'hello' },
    { content: null },
    { content: 'hello', structuredContent: { a: 1 } },
    { resultType: 'bogus', content: [block] },
  ]
  for (const result of wrong) {
    expect(() => toOutput(result)).toThrow(expect.objectContaining({ code: 'upstream_failed' }))
  }
  expect(toOutput({ structuredContent: { a: 1 } })).toEqual({ a: 1 })
  expect(toOutput({ content: [] })).toEqual({ $content: [] })
  expect(() => toOutput({ isError: true })).toThrow(
    expect.objectContaining({ code: 'tool_failed' }),
  )
})

test('a block loses a _meta that clients would refuse the whole result for, and nothing else', () => {
  const resource = { uri: 'a://b', text: 'x' }
  const content: JsonValue[] = [
    { ...block, _meta: 'odd' },
    { ...block, _meta: { fine: 1 } },
    { type: 'resource', resource: { ...resource, _meta: [] }, _meta: null },
    5,
  ]
  expect(toOutput({ content })).toEqual({
    $content: [block, { ...block, _meta: { fine: 1 } }, { type: 'resource', resource }],
  })
})

function file(bytes: string | Uint8Array, mimeType?: string) {
  const blob = Buffer.from(bytes as string).toString('base64')
  return { type: 'resource', resource: { uri: 'a://b', ...(mimeType && { mimeType }), blob } }
}

test.each(['text/csv', 'text/plain; charset=UTF-8', 'application/json', 'application/ld+json'])(
  'a file of %s that comes as bytes is text',
  (mimeType) => {
    const resource = { uri: 'a://b', mimeType, text: 'naïve,1\n' }
    expect(toOutput({ content: [file('naïve,1\n', mimeType)] })).toEqual({
      $content: [{ type: 'resource', resource }],
    })
  },
)

test.each([
  ['that says nothing of its type', file('a')],
  ['of another kind', file('%PDF-', 'application/pdf')],
  ['that is a picture in letters', file('<svg/>', 'image/svg+xml')],
  ['in other characters', file(Uint8Array.of(0xe9), 'text/plain; charset=iso-8859-1')],
  ['whose bytes are no text', file(Uint8Array.of(0xff, 0xfe), 'text/plain')],
  ['with zeros in it', file(Uint8Array.of(97, 0), 'text/plain')],
  [
    'that is no base64',
    { type: 'resource', resource: { uri: 'a://b', mimeType: 'text/plain', blob: '%%%' } },
  ],
])('a file %s stays as it was sent', (_what, block) => {
  expect(toOutput({ content: [block] })).toEqual({ $content: [block] })
})
