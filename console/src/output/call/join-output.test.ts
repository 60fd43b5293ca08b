import { expect, test } from 'vitest'
import { joinOutput } from './join-output.ts'
import type { CallOutput } from './join-output.ts'

test('the newest partial output and progress are kept, and text is appended', () => {
  const told: CallOutput[] = [
    { progress: { done: 1, total: 3, message: 'first', text: 'one ' } },
    { partial: { a: 1 } },
    { progress: { done: 2, text: 'two' } },
    { partial: { a: 2 } },
    { progress: { message: 'last' } },
  ]
  expect(told.reduce(joinOutput, {})).toEqual({
    partial: { a: 2 },
    progress: { done: 2, total: 3, message: 'last', text: 'one two' },
  })
})

test('of very much text the end is kept', () => {
  const piece: CallOutput = { progress: { text: 'x'.repeat(60_000) } }
  const joined = [piece, piece, { progress: { text: 'end' } }].reduce<CallOutput>(joinOutput, {})
  expect([joined.progress?.text?.length, joined.progress?.text?.slice(-4)]).toEqual([
    100_000,
    'xend',
  ])
})
