import fc from 'fast-check'
import { expect, test } from 'vitest'
import { errorCodes, ToolError } from '../../kernel/errors.ts'
import { toFailure } from './failure-shape.ts'

test.each([
  null,
  'error',
  ['error'],
  {},
  { error: null },
  { error: undefined },
  { error: '' },
  { error: false },
  { error: [] },
  { error: 0.05, estimate: 3 },
  { success: true },
  { success: 'false' },
  { errors: ['a'] },
])('%j is not a failure', (returned) => {
  expect(toFailure(returned)).toBeUndefined()
})

test.each([
  [{ error: 'No such invoice' }, 'No such invoice'],
  [{ error: { message: 'No such invoice' } }, 'No such invoice'],
  [{ error: new Error('No such invoice') }, 'No such invoice'],
  [new Error('No such invoice'), 'No such invoice'],
  [{ error: true, message: 'No such invoice' }, 'No such invoice'],
  [{ error: { title: 'Gone' } }, 'Gone'],
  [{ error: { status: 500 } }, '{"status":500}'],
  [{ error: ['a', 'b'] }, '["a","b"]'],
  [{ error: {} }, 'The tool reported a failure without a message'],
  [{ success: false }, 'The tool reported a failure without a message'],
  [{ success: false, message: 'Nothing to do' }, 'Nothing to do'],
  [{ success: false, error: null, reason: 'Closed' }, 'Closed'],
])('%j is a failure with a message', (returned, message) => {
  expect(toFailure(returned)).toEqual({ code: 'tool_failed', message, retryable: false })
})

test('a known code keeps its retryability', () => {
  expect(toFailure({ error: { message: 'Busy', code: 'upstream_failed' } })).toEqual({
    code: 'upstream_failed',
    message: 'Busy',
    retryable: true,
  })
  expect(toFailure({ success: false, message: 'Slow', code: 'timeout', retryable: false })).toEqual(
    {
      code: 'timeout',
      message: 'Slow',
      retryable: false,
    },
  )
})

test('a ToolError that was returned instead of thrown keeps its code and its fix', () => {
  const error = new ToolError('secret_missing', 'No key', { fix: 'Set one.' })
  expect(toFailure({ error })).toEqual({
    code: 'secret_missing',
    message: 'No key',
    retryable: false,
    fix: 'Set one.',
  })
})

test.each(['EFOO', 'toString', '__proto__', 404])(
  'the unknown code %j becomes tool_failed',
  (code) => {
    expect(toFailure({ error: { message: 'x', code } })?.code).toBe('tool_failed')
  },
)

test('any returned value gives undefined or a complete error', () => {
  fc.assert(
    fc.property(fc.anything(), fc.anything(), (error, success) => {
      const failure = toFailure({ error, success })
      if (failure === undefined) return
      expect(errorCodes).toHaveProperty(failure.code)
      expect([typeof failure.message, typeof failure.retryable]).toEqual(['string', 'boolean'])
    }),
  )
})
