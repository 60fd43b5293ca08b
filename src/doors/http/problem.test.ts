import { expect, test } from 'vitest'
import { ToolError } from '../../core/kernel/errors.ts'
import { problemKinds, toProblem, toProblemSource } from './problem.ts'

test('every code has its status', () => {
  const codesBy = Object.groupBy(Object.entries(problemKinds), ([, { status }]) => status)
  const table = Object.entries(codesBy).map(([status, kinds]) => [
    status,
    kinds?.map(([code]) => code).join(' '),
  ])
  expect(Object.fromEntries(table)).toEqual({
    400: 'invalid_request',
    401: 'unauthorized sign_in_failed',
    403: 'forbidden tenant_suspended denied approval_required approval_rejected approval_expired',
    404: 'tool_not_found not_found',
    405: 'method_not_allowed',
    409: 'already_settled already_decided conflict conversation_busy cannot_wait group_closed preview_changed not_undoable cancelled replay_diverged secret_missing sign_in_required name_taken',
    413: 'body_too_large',
    415: 'unsupported_media_type',
    422: 'invalid_input idempotency_mismatch client_unable call_too_deep invalid_tool invalid_schema invalid_config invalid_policy invalid_skill',
    429: 'rate_limited budget_exceeded quota_exceeded',
    500: 'outcome_unknown tool_failed tool_crashed output_invalid internal',
    502: 'upstream_failed model_failed server_unreachable',
    503: 'shutting_down interrupted sandbox_unavailable workspace_unavailable record_failed store_unavailable data_locked data_read_only data_newer data_damaged wrong_master_key',
    504: 'timeout',
  })
})

test('a problem contains what is wrong, where, and a fix', () => {
  const issues = [{ path: '/a', message: 'is required' }]
  const error = new ToolError('invalid_input', 'It does not fit', { issues, fix: 'Give a.' })
  expect(toProblem(error, { requestId: 'r1', instance: '/x', callId: 'call_1' })).toEqual({
    type: '/docs#error-invalid_input',
    title: 'The input does not match the schema of the tool',
    status: 422,
    detail: 'It does not fit',
    code: 'invalid_input',
    retryable: false,
    requestId: 'r1',
    instance: '/x',
    callId: 'call_1',
    issues,
    fix: 'Give a.',
  })
})

test('an error that is not our own reveals nothing to the client', () => {
  expect(toProblemSource(new TypeError('db password is x'), 'r1')).toEqual({
    code: 'internal',
    message: "Something went wrong here. The server's log has it under r1.",
    retryable: false,
  })
})
