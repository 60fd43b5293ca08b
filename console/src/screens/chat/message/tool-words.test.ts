import { expect, test } from 'vitest'
import type { ToolPart, ToolState } from '../turn/message.ts'
import { describeState, sumUp } from './tool-words.ts'

const part = (state: ToolState, more: Partial<ToolPart> = {}): ToolPart => ({
  type: 'tool-x',
  toolCallId: 'c',
  state,
  ...more,
})

test('every state of a call has a label, and a call that nobody follows is not shown as running', () => {
  expect(describeState(part('input-available'), true)).toMatchObject({
    words: 'Running',
    isBusy: true,
  })
  expect(describeState(part('input-available'), false).words).toBe('Not finished')
  expect(describeState(part('output-available', { preliminary: true }), true).words).toBe('Running')
  expect(describeState(part('output-available'), false).words).toBe('Done')
  const no = { approval: { id: 'a', approved: false } }
  expect(describeState(part('approval-responded', no), true).words).toBe('Rejected')
})

test('a closed card sums up the call in one line', () => {
  expect(sumUp(part('output-available', { output: { total: 3 } }))).toBe('total: 3')
  expect(sumUp(part('output-error', { errorText: 'first\nsecond' }))).toBe('first')
  expect(sumUp(part('output-denied', { approval: { id: 'a', reason: 'no' } }))).toBe('no')
  expect(sumUp(part('input-streaming', { inputText: '{"a"' }))).toBe('{"a"')
})
