import { expect, test } from 'vitest'
import { ToolError } from '../../core/kernel/errors.ts'
import { toCallReply } from './call-reply.ts'
import { toProblem, toProblemSource } from './problem.ts'
import { problemReply } from './reply.ts'

const headersOf = (error: unknown) => {
  const source = toProblemSource(error, 'req')
  const { status, headers = [], body } = problemReply(toProblem(source, { requestId: 'req' }))
  const at = headers.indexOf('retry-after')
  const { retryAfterMs } = JSON.parse(body as string) as { retryAfterMs?: number }
  return [status, at < 0 ? undefined : headers[at + 1], retryAfterMs]
}

test.each<[string, ToolError, unknown[]]>([
  [
    'a limit with a time',
    new ToolError('rate_limited', 'm', { details: { retryAfterMs: 4200 } }),
    [429, '5', 4200],
  ],
  [
    'a budget',
    new ToolError('budget_exceeded', 'm', { details: { retryAfterMs: 3_600_000 } }),
    [429, '3600', 3_600_000],
  ],
  ['a limit that never has room', new ToolError('rate_limited', 'm', { retryable: false }), [429]],
  ['a limit without a time', new ToolError('rate_limited', 'm'), [429, '1']],
  ['a server that stops', new ToolError('shutting_down', 'm'), [503, '1']],
  ['something else', new ToolError('not_found', 'm'), [404]],
])('%s answers when to retry, if it knows', (_what, error, [status, header, field]) => {
  expect(headersOf(error)).toEqual([status, header, field])
})

test('a refused call has it in header and body', () => {
  const error = { code: 'rate_limited', message: 'm', retryable: true, retryAfterMs: 900 } as const
  const { status, headers, body } = toCallReply({ status: 'failed', error }, 'req')
  expect([status, headers]).toEqual([429, ['retry-after', '1']])
  expect(JSON.parse(body as string)).toMatchObject({ code: 'rate_limited', retryAfterMs: 900 })
})
