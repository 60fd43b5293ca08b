import { expect, test } from 'vitest'
import { createTestCrib } from '../../../../testing/index.ts'
import { ownerOf } from '../../../../app/owner.ts'
import { toTool } from '../../../../core/define-tool.ts'
import type { JsonSchema } from '../../../../core/kernel/json.ts'
import type { Tool } from '../../../../core/kernel/tool.ts'
import { taskKind, type TaskSpec } from './task-kind.ts'

const inputSchema: JsonSchema = { type: 'object', properties: { text: { type: 'string' } } }
const known = { find: () => undefined, names: () => ['agent:helper'] }

function toDocument(given: Partial<TaskSpec>, outputSchema?: JsonSchema) {
  const spec: TaskSpec = { kind: 'task', to: 'requester', template: '{{input.text}}', ...given }
  const facts = { name: 'desk.task', description: 'Test', inputSchema, spec }
  return { ...facts, ...(outputSchema && { outputSchema }) }
}

function make(name: string, given: Partial<TaskSpec>, outputSchema?: JsonSchema): Tool {
  const document = toDocument(given, outputSchema)
  const { effect, outputSchema: derived } = taskKind.derive(document, known)
  const facts = { name, description: 'Test', inputSchema, effect, source: 'authored' as const }
  return toTool(
    { ...facts, ...(derived && { outputSchema: derived }), ...(outputSchema && { outputSchema }) },
    taskKind.toBehaviour(document),
  )
}

const check = (given: Partial<TaskSpec>) =>
  taskKind.check(toDocument(given), known).map(({ path, severity }) => `${severity} ${path}`)

test('addressees and references are checked when it is saved', () => {
  expect(check({})).toEqual([])
  expect(check({ to: ['role:operator', 'user:ann@example.com'], dueIn: '2d' })).toEqual([])
  expect(check({ to: 'agent:helpr', dueIn: '2d' })).toEqual([
    'warning /spec/to',
    'warning /spec/dueIn',
  ])
  expect(check({ to: ['agent:helper'] })).toEqual(['error /spec/to/0'])
  expect(check({ template: '{{input.txt}}' })).toEqual(['error /spec/template'])
  const refused = [{ to: 'everybody' }, { to: [] }, { dueIn: 'soon' }, { template: '' }]
  const { schema } = taskKind
  expect(refused.map((given) => schema.safeParse(toDocument(given).spec).success)).toEqual([
    false,
    false,
    false,
    false,
  ])
})

test('an agent and a person do a task, and its answer is the output', async () => {
  const crib = await createTestCrib({
    tools: [
      make('desk.agent', { to: 'agent:helper', template: 'Hello {{input.text}}' }),
      make('desk.person', { template: 'Check {{input.text}}\nWith care', dueIn: '2d' }),
      make('desk.begin', { wait: false }),
    ],
    config: {
      tools: [],
      agents: [{ slug: 'helper', model: 'demo', description: 'Helps.', tools: { allow: [] } }],
    },
  })
  const owner = ownerOf()
  const outputOf = async (callId: string) => (await crib.api.findCall(owner, { id: callId })).output

  const byAgent = await crib.call('desk.agent', { text: 'there' })
  await expect
    .poll(() => outputOf(byAgent.callId ?? ''), { timeout: 20_000 })
    .toContain('offline demo model')

  const byPerson = await crib.call('desk.person', { text: 'invoice 7' })
  expect(byPerson.status).toBe('waiting')
  const findQuestion = async () => (await crib.api.listQuestions(owner, {})).items[0]
  await expect.poll(findQuestion, { timeout: 20_000 }).toBeDefined()
  const question = await findQuestion()
  expect(question).toMatchObject({ title: 'Check invoice 7', text: 'With care' })
  await crib.api.answerQuestion(owner, { id: question?.id ?? '', input: { answer: 'Fine' } })
  await expect.poll(() => outputOf(byPerson.callId ?? ''), { timeout: 20_000 }).toBe('Fine')

  const begun = await crib.call('desk.begin', { text: 'Later' })
  expect(begun).toMatchObject({
    status: 'completed',
    output: { callId: expect.any(String) as string },
  })
  await crib.close()
})
