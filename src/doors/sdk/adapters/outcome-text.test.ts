import { expect, test } from 'vitest'
import { contentOutput } from '../../../core/kernel/content.ts'
import type { JsonValue } from '../../../core/kernel/json.ts'
import { toModelOutput, toToolOutput } from '../tool-output.ts'
import { listParts, outcomeParts } from './outcome-text.ts'

const picture = { type: 'image', data: 'aGk=', mimeType: 'image/png' } as const
const empty = { type: 'text', text: '' } as const
const done = (output: JsonValue, note?: string) =>
  ({ kind: 'done', output, callId: 'call_1', ...(note !== undefined && { note }) }) as const
const content = (...blocks: Parameters<typeof contentOutput>[0]) =>
  contentOutput(blocks) as unknown as JsonValue

test('an empty text is not part of a result', () => {
  expect(listParts(done(''))).toEqual([])
  expect(listParts(done(content(empty, picture)))).toEqual([picture])
  expect(outcomeParts(done(content(empty)))).toBe('')
})

test('nor is it for the AI SDK', () => {
  const told = (output: JsonValue, note?: string) =>
    toModelOutput({ output: toToolOutput(done(output, note)) })
  expect(told(content(empty))).toEqual({ type: 'text', value: '' })
  expect(told(content(empty, picture))).toMatchObject({ value: [{ mediaType: 'image/png' }] })
  expect(told('', 'It was changed')).toEqual({ type: 'text', value: 'It was changed' })
})
