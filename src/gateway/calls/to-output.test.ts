import { expect, test } from 'vitest'
import type { JsonValue } from '../../core/json.ts'
import type { JsonRecord } from '../wire/messages.ts'
import { toOutput } from './to-output.ts'

const block = { type: 'text', text: 'a' }

test('what is no result of a tool is a failure of its server, and not an empty output', () => {
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
