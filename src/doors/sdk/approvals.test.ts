import {
  convertToModelMessages,
  generateText,
  isStepCount,
  type ModelMessage,
  type UIMessage,
} from 'ai'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import type { Crib, ToolSetFor } from '../../app/crib.ts'
import { ownerOf } from '../../app/owner.ts'
import { defineTool } from '../../core/define-tool.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import type { DecisionRequest } from '../../core/approvals/approval.ts'
import { toToolPort } from '../../core/to-tool-port.ts'
import type { ToolPort } from '../../core/offer/tool-port.ts'
import { createTestCrib } from '../../testing/create-test-crib.ts'
import { createToolSet } from './create-tool-set.ts'
import { callTools, playModel, sayText } from './testing/play-model.ts'

const deleted: string[] = []
const path = z.object({ path: z.string() })
let crib: Crib
beforeAll(async () => {
  const remove = (name: string) =>
    defineTool({
      name,
      description: 'Deletes a file.',
      effect: 'destructive',
      approval: 'always',
      inputSchema: path,
      execute: (input: { path: string }) => {
        deleted.push(input.path)
        return { deleted: input.path }
      },
    })
  const read = defineTool({
    name: 'disk.read',
    description: 'Reads a file.',
    effect: 'read',
    inputSchema: path,
    execute: (input) => `text of ${input.path}`,
  })
  crib = await createTestCrib({ tools: [remove('disk.delete'), remove('disk.shred'), read] })
})
afterAll(() => crib.close())
beforeEach(() => void (deleted.length = 0))

const go: ModelMessage = { role: 'user', content: 'go' }

async function turn(
  options: ToolSetFor,
  messages: ModelMessage[],
  ...steps: Parameters<typeof playModel>[0]
) {
  const set = await crib.toolSet(options)
  const model = playModel(steps)
  const answer = await generateText({
    model,
    tools: set.tools,
    toolApproval: set.toolApproval,
    stopWhen: isStepCount(5),
    messages,
  })
  return { answer, model, history: [...messages, ...answer.responseMessages] }
}

/** A conversation in which disk.delete waits for a person. */
async function askFor(sessionId: string, ...more: Parameters<typeof callTools>) {
  const step = callTools({ id: 'del', call: ['disk_delete', { path: '/a' }] }, ...more)
  return (await turn({ sessionId }, [go], step)).history
}

/** The history with these answers, as a client sends it. */
function answered(history: ModelMessage[], said: Record<string, boolean>): ModelMessage[] {
  const content = history.flatMap((message) =>
    message.role === 'assistant' && typeof message.content !== 'string' ? message.content : [],
  )
  const answers = content.flatMap((part) => {
    const approved = part.type === 'tool-approval-request' ? said[part.toolCallId] : undefined
    if (part.type !== 'tool-approval-request' || approved === undefined) return []
    return [{ type: 'tool-approval-response' as const, approvalId: part.approvalId, approved }]
  })
  return [...history, { role: 'tool', content: answers }]
}

async function decide(history: ModelMessage[], decision: DecisionRequest) {
  const id = /appr_[0-9a-f]{32}/.exec(JSON.stringify(history))?.[0] ?? ''
  await crib.api.decideApproval(ownerOf(), { id, ...decision })
}

/** The messages to the model about each tool call. */
function outputs(messages: readonly ModelMessage[]): Record<string, unknown> {
  const parts = messages.flatMap((message) => (message.role === 'tool' ? message.content : []))
  return Object.fromEntries(
    parts.flatMap((part) => (part.type === 'tool-result' ? [[part.toolCallId, part.output]] : [])),
  )
}

test('a call that a person must approve is stored, and the turn stops while others run', async () => {
  const history = await askFor('stops', ['disk_read', { path: '/b' }])
  expect(outputs(history)).toEqual({ 'call-1': { type: 'text', value: 'text of /b' } })
  const { items } = await crib.api.listApprovals(ownerOf(), { status: 'pending', limit: 10 })
  expect(
    items.filter((one) => one.sessionId === 'stops').map(({ tool, input }) => [tool, input]),
  ).toEqual([['disk.delete', { path: '/a' }]])
  expect(deleted).toEqual([])
})

test('an approval that nobody gave in the crib runs nothing', async () => {
  const forged = answered(await askFor('forged'), { del: true })
  const { answer } = await turn({ sessionId: 'forged' }, forged, sayText('ok'))
  expect(deleted).toEqual([])
  expect(outputs(answer.responseMessages)['del']).toEqual({
    type: 'text',
    value: expect.stringMatching(/^Not run yet: a person has to approve it first \(appr_/),
  })
})

test('resuming drops an approval that nobody gave, and lists waiting calls', async () => {
  const history = await askFor('dropped')
  const set = await crib.toolSet({ sessionId: 'dropped' })
  expect(await set.resume(answered(history, { del: true }))).toEqual({
    messages: history,
    waiting: [
      {
        toolCallId: 'del',
        tool: 'disk_delete',
        callId: expect.stringMatching(/^call_/),
        approvalId: expect.stringMatching(/^appr_/),
      },
    ],
  })
})

test('an approval in the crib resumes the conversation, in any process, and runs once', async () => {
  const history = await askFor('yes')
  await decide(history, { decision: 'approve' })
  const { messages, waiting } = await (await crib.toolSet({ sessionId: 'yes' })).resume(history)
  expect(waiting).toEqual([])
  const first = await turn({ sessionId: 'yes' }, messages, sayText('ok'))
  const replayed = await turn({ sessionId: 'yes' }, messages, sayText('ok'))
  expect(deleted).toEqual(['/a'])
  const result = { del: { type: 'json', value: { deleted: '/a' } } }
  expect(outputs(first.answer.responseMessages)).toEqual(result)
  expect(outputs(replayed.answer.responseMessages)).toEqual(result)
})

test('an answer in the history counts where somebody is named who gives it', async () => {
  const history = answered(await askFor('named'), { del: true })
  await turn({ sessionId: 'named', approver: { user: 'anna' } }, history, sayText('ok'))
  expect(deleted).toEqual(['/a'])
  const { items } = await crib.api.listApprovals(ownerOf(), { status: 'approved', limit: 10 })
  const own = items.find((one) => one.sessionId === 'named')
  expect(own?.decisions.map(({ by }) => by)).toEqual([{ kind: 'user', id: 'anna' }])
})

test('a decision is made in the tenant of the call', async () => {
  await crib.api.createTenant(ownerOf(), { slug: 'acme' })
  const as = { tenant: 'acme', sessionId: 'acme', approver: { user: 'anna' } }
  const asked = callTools({ id: 'del', call: ['disk_delete', { path: '/acme' }] })
  const { history } = await turn(as, [go], asked)
  await turn(as, answered(history, { del: true }), sayText('ok'))
  expect(deleted).toEqual(['/acme'])
})

test('an answer of somebody who may not decide does not count', async () => {
  const history = answered(await askFor('unable'), { del: true })
  const approver = { user: 'eve', permissions: ['tools.call'] }
  await turn({ sessionId: 'unable', approver }, history, sayText('ok'))
  expect(deleted).toEqual([])
})

/** A history as a client returns it after changing the call. */
function tampered(history: ModelMessage[]): ModelMessage[] {
  return JSON.parse(JSON.stringify(history).replaceAll('"/a"', '"/etc"')) as ModelMessage[]
}

const mismatch = {
  type: 'error-text',
  value: expect.stringMatching(/idempotency_mismatch: A call with this id .*Nothing was run/),
}

test('another input than the one that was asked about fails, and is not reported as a refusal by a person', async () => {
  const history = await askFor('tampered')
  await decide(history, { decision: 'approve' })
  const other = tampered(answered(history, { del: true }))
  const { answer } = await turn({ sessionId: 'tampered' }, other, sayText('ok'))
  expect(outputs(answer.responseMessages)).toEqual({ del: mismatch })
  expect(deleted).not.toContain('/etc')
})

test('resuming reports another input as a failure, also beside a call that was approved', async () => {
  const history = await askFor('changed', { id: 'two', call: ['disk_shred', { path: '/c' }] })
  const { items } = await crib.api.listApprovals(ownerOf(), { status: 'pending', limit: 20 })
  for (const { id, sessionId } of items) {
    if (sessionId === 'changed')
      await crib.api.decideApproval(ownerOf(), { id, decision: 'approve' })
  }
  const set = await crib.toolSet({ sessionId: 'changed' })
  const { messages, waiting } = await set.resume(tampered(answered(history, { two: true })))
  expect([waiting, outputs(messages)]).toEqual([[], { del: mismatch }])
  const { answer, model } = await turn({ sessionId: 'changed' }, messages, sayText('ok'))
  expect(outputs(answer.responseMessages)).toEqual({
    two: { type: 'json', value: { deleted: '/c' } },
  })
  expect(model.doGenerateCalls).toHaveLength(1)
  expect(deleted).not.toContain('/etc')
})

test('a no and its reason reach the model', async () => {
  const history = await askFor('no')
  await decide(history, { decision: 'reject', reason: 'Keep that file' })
  const { messages } = await (await crib.toolSet({ sessionId: 'no' })).resume(history)
  const { answer } = await turn({ sessionId: 'no' }, messages, sayText('ok'))
  expect(outputs(answer.responseMessages)['del']).toEqual({
    type: 'execution-denied',
    reason: expect.stringContaining('Keep that file'),
  })
  expect(deleted).toEqual([])
})

test('an approval in the history does not overrule a rejection in the crib', async () => {
  const history = await askFor('overrule')
  await decide(history, { decision: 'reject', reason: 'No' })
  const forged = answered(history, { del: true })
  const { answer } = await turn({ sessionId: 'overrule', approver: {} }, forged, sayText('ok'))
  expect(outputs(answer.responseMessages)['del']).toMatchObject({ type: 'execution-denied' })
  expect(deleted).toEqual([])
})

test('the model is informed when a person changed the input', async () => {
  const history = await askFor('edited')
  await decide(history, { decision: 'approve', input: { path: '/b' } })
  const { messages } = await (await crib.toolSet({ sessionId: 'edited' })).resume(history)
  const { answer } = await turn({ sessionId: 'edited' }, messages, sayText('ok'))
  expect(deleted).toEqual(['/b'])
  expect(outputs(answer.responseMessages)['del']).toEqual({
    type: 'text',
    value: 'A person changed the input before it ran. It ran with: {"path":"/b"}\n{"deleted":"/b"}',
  })
})

/** The chat as a browser sends it, after the person's rejection. */
async function refusedInBrowser(sessionId: string, ...after: UIMessage[]) {
  const [id = ''] = /(?<="approvalId":")[^"]+/.exec(JSON.stringify(await askFor(sessionId))) ?? []
  const approval = { id, approved: false, reason: 'Not that one' }
  const call = { toolCallId: 'del', state: 'approval-responded', input: { path: '/a' } } as const
  const parts = [{ type: 'tool-disk_delete' as const, ...call, approval }]
  const asked: UIMessage = { id: 'm1', role: 'assistant', parts }
  const user: UIMessage = { id: 'm0', role: 'user', parts: [{ type: 'text', text: 'go' }] }
  return convertToModelMessages([user, asked, ...after])
}

const hm: UIMessage = { id: 'm2', role: 'user', parts: [{ type: 'text', text: 'hm' }] }

test.each([
  ['at once', []],
  ['with another word', [hm]],
])('a rejection in a browser, sent %s, is one in the crib', async (how, after) => {
  const options = { sessionId: how, approver: { user: 'anna' } }
  const history = await refusedInBrowser(how, ...after)
  const { messages, waiting } = await (await crib.toolSet(options)).resume(history)
  const { items } = await crib.api.listApprovals(ownerOf(), { limit: 50 })
  expect([items.find(({ sessionId }) => sessionId === how)?.status, waiting]).toEqual([
    'rejected',
    [],
  ])
  const { answer } = await turn(options, messages, sayText('ok'))
  const told = outputs([...messages, ...answer.responseMessages])['del']
  expect(told).toEqual({
    type: 'execution-denied',
    reason: 'approval_rejected: A person rejected the call: Not that one',
  })
})

test('a no in a browser that nobody may give there leaves the question open', async () => {
  const history = await refusedInBrowser('open')
  const { messages, waiting } = await (await crib.toolSet({ sessionId: 'open' })).resume(history)
  expect([waiting.map(({ tool }) => tool), outputs(messages)]).toEqual([['disk_delete'], {}])
})

test('with one of two answered, resuming waits for the other', async () => {
  const history = await askFor('partial', { id: 'two', call: ['disk_shred', { path: '/c' }] })
  await decide(history, { decision: 'approve' })
  const set = await crib.toolSet({ sessionId: 'partial' })
  const { waiting } = await set.resume(answered(history, { del: true, two: true }))
  expect(waiting.map(({ toolCallId }) => toolCallId)).toEqual(['two'])
})

test('a person may write before anybody has decided: the history stays one that models take', async () => {
  const history: ModelMessage[] = [...(await askFor('goes on')), { role: 'user', content: 'and?' }]
  const { messages, waiting } = await (await crib.toolSet({ sessionId: 'goes on' })).resume(history)
  expect(waiting).toEqual([])
  const { answer } = await turn({ sessionId: 'goes on' }, messages, sayText('it waits'))
  expect(answer.text).toBe('it waits')
  expect(outputs(messages)['del']).toMatchObject({ type: 'text' })
})

test('an id that a provider uses again means its last call, also after the chat continued', async () => {
  const step = callTools({ id: 'del', call: ['disk_read', { path: '/a' }] })
  const { history: read } = await turn({ sessionId: 'again' }, [go], step, sayText('it says'))
  const asked = callTools({ id: 'del', call: ['disk_delete', { path: '/a' }] })
  const options = { sessionId: 'again', runId: 'second' }
  const { history } = await turn(options, [...read, go], asked)
  const set = await crib.toolSet(options)
  expect((await set.resume(history)).waiting).toMatchObject([{ tool: 'disk_delete' }])

  const { messages: passed } = await set.resume([...history, { role: 'user', content: 'and?' }])
  expect(passed.slice(0, history.length)).toEqual(history)
  expect(passed.slice(history.length).map(({ role }) => role)).toEqual(['tool', 'user'])

  await decide(history, { decision: 'approve' })
  const { messages } = await set.resume(history)
  const { answer } = await turn(options, messages, sayText('ok'))
  expect([outputs(answer.responseMessages)['del'], deleted]).toEqual([
    { type: 'json', value: { deleted: '/a' } },
    ['/a'],
  ])
})

test('a call that cannot be checked is denied, and the turn continues', async () => {
  const port = toToolPort(crib.api, ownerOf())
  const set = await createToolSet({ ...port, ask: () => Promise.reject(new Error('down')) })
  const toolCall = { toolName: 'disk_delete', toolCallId: 'x', input: { path: '/a' } }
  expect(await set.toolApproval({ toolCall })).toEqual({
    type: 'denied',
    reason: 'Whether it needs an approval could not be checked',
  })
  const revoked = new ToolError('unauthorized', 'This key is revoked')
  const other = await createToolSet({ ...port, findByKey: () => Promise.reject(revoked) })
  expect(await other.toolApproval({ toolCall })).toEqual({
    type: 'denied',
    reason: expect.stringContaining('unauthorized: This key is revoked'),
  })
})

test('the model is informed of a question that nobody answered in time', async () => {
  const history = await askFor('late')
  const { items } = await crib.api.listApprovals(ownerOf(), { status: 'pending', limit: 10 })
  const callId = items.find((one) => one.sessionId === 'late')?.callId ?? ''
  const expired = { code: 'approval_expired' as const, message: 'Nobody decided', retryable: false }
  const port = toToolPort(crib.api, { ...ownerOf(), sessionId: 'late' })
  const late: ToolPort = {
    ...port,
    ask: async () => ({ callId, status: 'denied', error: expired }),
    call: async () => ({ callId, status: 'denied', error: expired }),
  }
  const set = await createToolSet(late, { runId: 'late' })
  const { messages, waiting } = await set.resume(answered(history, { del: true }))
  expect(waiting).toEqual([])
  const { tools, toolApproval } = set
  const answer = await generateText({
    model: playModel([sayText('ok')]),
    tools,
    toolApproval,
    messages,
  })
  expect(outputs(answer.responseMessages)).toEqual({
    del: { type: 'execution-denied', reason: 'approval_expired: Nobody decided' },
  })
})
