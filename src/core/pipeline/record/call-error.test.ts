import { expect, test } from 'vitest'
import { ToolError } from '../../kernel/errors.ts'
import { createRedactor, emptyRedactor } from '../../secrets/redact.ts'
import { presentError, toCallError } from './call-error.ts'

test('an error with a code keeps it, with its places and its fix', () => {
  const thrown = new ToolError('upstream_failed', 'The other side answered 503', {
    issues: [{ path: '/a', message: 'is wrong' }],
    fix: 'Wait.',
  })
  expect(toCallError(thrown)).toEqual({
    code: 'upstream_failed',
    message: 'The other side answered 503',
    retryable: true,
    issues: [{ path: '/a', message: 'is wrong' }],
    fix: 'Wait.',
  })
})

test.each([
  ['an Error without a message', new TypeError(), 'TypeError'],
  ['a text', 'out of paper', 'The tool threw out of paper'],
  ['nothing', undefined, 'The tool threw undefined'],
  [
    'an object that shows itself badly',
    Object.create(null),
    'The tool threw something that cannot be shown',
  ],
])('%s is a crash of the tool', (...[, thrown, message]) => {
  expect(toCallError(thrown)).toEqual({ code: 'tool_crashed', message, retryable: false })
})

test('a very long message is cut without splitting a character', () => {
  const { message } = presentError(
    { code: 'tool_failed', message: `${'x'.repeat(3998)}😀😀`, retryable: false },
    emptyRedactor,
  )
  expect(message).toBe(`${'x'.repeat(3998)}…`)
})

test('a secret is removed before the message is cut, so that no part of it remains', () => {
  const redactor = createRedactor({ key: 'a-long-secret-value' })
  const error = {
    code: 'tool_failed',
    message: `${'x'.repeat(3990)}a-long-secret-value`,
    retryable: false,
  } as const
  expect(presentError(error, redactor).message).not.toContain('a-long')
})
