import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openCrib, type OpenCrib } from '../src/app/open-crib.ts'
import { ownerOf } from '../src/app/owner.ts'
import { defineTool, z } from '../src/app/index.ts'
import type { Caller } from '../src/core/kernel/call.ts'
import type { OpenStores } from '../src/features/open-stores.ts'
import { openTestStore } from '../src/testing/open-test-store.ts'

const done: string[] = []
const text = z.object({ text: z.string() })
const note = (name: string, more: object = {}) =>
  defineTool({
    name,
    description: 'Notes what it was given.',
    effect: 'write',
    inputSchema: text,
    execute(input) {
      done.push(`${name} ${input.text}`)
      return { text: `${input.text}!` }
    },
    ...more,
  })
const tools = [
  note('demo.look', { effect: 'read' }),
  note('demo.mark'),
  note('demo.pay', { approval: 'always' }),
]
const owner = ownerOf()
const other: Caller = { ...owner, principal: { kind: 'user', id: 'other' } }

let store: OpenStores
let crib: OpenCrib
const open = () => openCrib({ cwd: process.cwd(), data: '/nowhere', store, tools })

beforeAll(async () => {
  store = await openTestStore()
  crib = await open()
})
afterAll(async () => {
  await crib.close()
  await store.close()
})
beforeEach(() => void done.splice(0))

const step = (id: string, tool: string, given: string) => ({ id, tool, input: { text: given } })
const steps = [
  step('look', 'demo.look', '{{input.text}}'),
  step('mark', 'demo.mark', '{{steps.look.output.text}}'),
  step('pay', 'demo.pay', '{{steps.mark.output.text}}'),
]
const documentOf = (name: string, of: object[]) => ({
  name,
  description: 'Looks, marks and pays, for tests of drafts.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  spec: { kind: 'composition', steps: of },
})
const saveDraft = (name: string, of = steps) =>
  crib.api.saveToolDraft(owner, { name, document: documentOf(name, of) })
const tryOut = (name: string) =>
  crib.api.testTool(owner, { name, input: { text: 'a' }, draft: true, real: true })

async function asked(callId = '') {
  const find = async () => {
    const { items } = await crib.api.listApprovals(owner, { status: 'pending' })
    const calls = await crib.api.listCalls(owner, { parent: callId })
    return items.find((one) => calls.items.some((call) => call.callId === one.callId))
  }
  await expect.poll(find, { timeout: 8000 }).toBeDefined()
  const approval = await find()
  if (approval === undefined) throw new Error('nobody is asked')
  return approval
}
const decide = (id: string, decision: 'approve' | 'reject') =>
  crib.api.decideApproval(owner, { id, decision })
const toFailed = () => ({ status: 'failed' })
const statusOf = async (id = '') => (await crib.api.findCall(owner, { id })).status

test('each effect of a draft waits for its tester, also after a restart and a change of the draft', async () => {
  await saveDraft('trial.pay')
  const { callId, status } = await tryOut('trial.pay')
  expect({ status, done }).toEqual({ status: 'waiting', done: ['demo.look a'] })
  const first = await asked(callId)
  expect(first).toMatchObject({
    tool: 'demo.mark',
    input: { text: 'a!' },
    approvers: ['user:owner'],
  })
  const byOther = crib.api.decideApproval(other, { id: first.id, decision: 'approve' })
  await expect(byOther).rejects.toMatchObject({ code: 'forbidden' })

  await saveDraft('trial.pay', [step('other', 'demo.look', 'changed')])
  await crib.close()
  crib = await open()
  await decide(first.id, 'approve')
  const second = await asked(callId)
  // Policy asks for this one, so its own terms apply.
  expect(second).toMatchObject({ tool: 'demo.pay', input: { text: 'a!!' } })
  expect(second.approvers).toBeUndefined()
  await decide(second.id, 'approve')
  await expect.poll(() => statusOf(callId)).toBe('completed')
  expect(done).toEqual(['demo.look a', 'demo.mark a!', 'demo.pay a!!'])

  const again = await crib.api.rerunCall(owner, { id: callId ?? '', from: 'pay' }).catch(toFailed)
  expect(again.status).toBe('failed')
  const byName = await crib.api.call({ tool: 'trial.pay', input: { text: 'b' }, caller: owner })
  expect(byName.error?.code).toBe('tool_not_found')
})

test('a rejected effect is not made, and ends the trial', async () => {
  await saveDraft('trial.reject')
  const { callId } = await tryOut('trial.reject')
  await decide((await asked(callId)).id, 'reject')
  await expect.poll(() => statusOf(callId)).toBe('failed')
  expect(done).toEqual(['demo.look a'])
})

test('a trial that is cancelled asks nobody any more', async () => {
  await saveDraft('trial.cancel')
  const { callId = '' } = await tryOut('trial.cancel')
  const { id } = await asked(callId)
  await crib.api.cancelCall(owner, { id: callId })
  await expect.poll(() => statusOf(callId)).toBe('cancelled')
  await expect
    .poll(async () => (await crib.api.findApproval(owner, { id })).status)
    .toBe('cancelled')
})

test('a request with an effect is shown to its tester before it is sent', async () => {
  const name = 'trial.request'
  const spec = { kind: 'http', method: 'POST', url: 'https://api.example.com/orders', body: {} }
  const inputSchema = { type: 'object', properties: {} }
  const document = { name, description: 'Orders something.', inputSchema, spec }
  await crib.api.saveToolDraft(owner, { name, document })
  const { callId = '', status } = await tryOut(name)
  expect(status).toBe('waiting')
  const { items } = await crib.api.listApprovals(owner, { status: 'pending' })
  const own = items.find((one) => one.callId === callId)
  expect(own).toMatchObject({ tool: name, approvers: ['user:owner'], preview: { state: 'made' } })
  await decide(own?.id ?? '', 'reject')
  expect(await statusOf(callId)).toBe('denied')
})

test('work that a draft starts without waiting for it asks its tester too', async () => {
  const name = 'trial.task'
  const inputSchema = { type: 'object', properties: {} }
  const spec = { kind: 'task', to: 'requester', template: 'Look at this', wait: false }
  const document = { name, description: 'Leaves a task to its tester.', inputSchema, spec }
  await crib.api.saveToolDraft(owner, { name, document })
  const { status, output } = await tryOut(name)
  expect(status).toBe('completed')
  const { callId = '' } = output as { callId?: string }
  expect(await crib.api.findCall(owner, { id: callId })).toMatchObject({
    status: 'waiting',
    waitingFor: 'approval',
  })
})

test('a draft ends if its tester may no longer write tools', async () => {
  const email = 'leaver@x.example'
  const { id } = await crib.api.createMember(owner, { email, role: 'admin' })
  const tester: Caller = { ...owner, principal: { kind: 'user', id } }
  const name = 'trial.leaves'
  const last = step('last', 'demo.look', '{{steps.mark.output.text}}')
  await crib.api.saveToolDraft(tester, {
    name,
    document: documentOf(name, [step('mark', 'demo.mark', '{{input.text}}'), last]),
  })
  const { callId = '' } = await crib.api.testTool(tester, {
    name,
    input: { text: 'a' },
    draft: true,
    real: true,
  })
  const { id: approval } = await asked(callId)
  await crib.api.changeMember(owner, { id, role: 'member' })
  await crib.api.decideApproval(tester, { id: approval, decision: 'approve' })
  await expect.poll(() => statusOf(callId)).toBe('failed')
  expect((await crib.api.findCall(owner, { id: callId })).error).toMatchObject({ code: 'denied' })
  expect(done).toEqual(['demo.mark a'])
})

test('a draft that needs approval itself waits and runs as it was', async () => {
  await saveDraft('trial.whole', [step('pay', 'demo.pay', '{{input.text}}')])
  const { draft } = await crib.api.findToolSource(owner, { name: 'trial.whole' })
  const document = { ...(draft?.document as object), approval: 'always' }
  await crib.api.saveToolDraft(owner, { name: 'trial.whole', document })
  const { callId = '', status } = await tryOut('trial.whole')
  expect(status).toBe('waiting')
  const { items } = await crib.api.listApprovals(owner, { status: 'pending' })
  const own = items.find((one) => one.callId === callId)
  expect(own).toMatchObject({ tool: 'trial.whole' })
  await decide(own?.id ?? '', 'approve')
  await decide((await asked(callId)).id, 'approve')
  await expect.poll(() => statusOf(callId)).toBe('completed')
  expect(done).toEqual(['demo.pay a'])
})
