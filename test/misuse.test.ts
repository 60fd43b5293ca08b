import { afterEach, expect, test } from 'vitest'
import {
  type CallResult,
  createCrib,
  type Crib,
  defineTool,
  definePack,
  ToolError,
  z,
} from '../src/app/index.ts'
import { createTestCrib, runTool } from '../src/testing/index.ts'

const facts = { description: 'Does as the test says.', effect: 'read' } as const
const echo = defineTool({
  ...facts,
  name: 'misuse.echo',
  inputSchema: z.object({ text: z.string() }),
  outputSchema: z.object({ text: z.string() }),
  execute: ({ text }) => ({ text }),
})

/** A tool that throws what it is told to: authors of tools without types write anything. */
function throwing(name: string, thrown: () => unknown) {
  return defineTool({
    ...facts,
    name,
    inputSchema: z.object({}),
    execute() {
      throw thrown()
    },
  })
}

const AnyError = ToolError as unknown as new (...given: unknown[]) => ToolError

/** As JavaScript calls it. */
function callAny(crib: Crib, ...given: unknown[]) {
  return (crib.call as (...given: unknown[]) => Promise<CallResult>)(...given)
}

let crib: Crib | undefined
afterEach(async () => {
  await crib?.close()
  crib = undefined
})

test('an error with a code of its own keeps its message for the caller', async () => {
  crib = await createTestCrib({
    tools: [
      throwing('throws.own', () => new AnyError('no_funds', 'You have 3 euro left')),
      throwing('throws.text', () => new AnyError('Come back tomorrow')),
      throwing('throws.code', () => new AnyError('upstream_failed')),
      throwing('throws.null', () => new AnyError('tool_failed', 'Said with null', null)),
    ],
  })
  const errors = []
  for (const name of ['own', 'text', 'code', 'null']) {
    errors.push((await crib.call(`throws.${name}`)).error)
  }
  expect(errors).toEqual([
    { code: 'tool_failed', message: 'You have 3 euro left', retryable: false },
    { code: 'tool_failed', message: 'Come back tomorrow', retryable: false },
    { code: 'upstream_failed', message: 'Something the tool depends on failed', retryable: true },
    { code: 'tool_failed', message: 'Said with null', retryable: false },
  ])
  expect(new AnyError('no_funds', 'x', { details: { left: 3 } }).details).toEqual({
    left: 3,
    code: 'no_funds',
  })
})

const pack = definePack({ name: 'misuse', title: 'M', description: 'Misuse.', tools: [echo] })

const wrongOptions: [message: string, options: unknown][] = [
  ['toolz is not an option; did you mean tools?', { toolz: [echo] }],
  ['completely is not an option. The options are config, cwd, data,', { completely: 1 }],
  ['tools must be a list: write tools: [tool]', { tools: echo }],
  ['tools must be a list: give folders and tools, such as', { tools: './tools' }],
  ['tools[0] must be a folder, or what defineTool returns', { tools: [{ name: 'a.b' }] }],
  ['tools[1] is a pack; spread its tools into the list: ...pack.tools', { tools: [echo, pack] }],
  ['data must be a string', { data: 3 }],
  ['config must be a file, a folder, or the configuration itself', { config: 3 }],
  ['the options must be an object', './tools'],
]

test.each(wrongOptions)('createCrib says: %s', async (message, options) => {
  await expect(createCrib(options as never)).rejects.toMatchObject({
    code: 'invalid_config',
    message: expect.stringContaining(`createCrib: ${message}`),
  })
})

test.each([
  [{ toolz: [] }, '/toolz is not a known key; did you mean tools?'],
  [{ server: { prot: 1 } }, '/server/prot is not a known key; did you mean port?'],
  [
    { agents: [{ slug: 'a', modle: 'demo' }] },
    '/agents/0/modle is not a known key; did you mean model?',
  ],
  [
    { agents: [{ slug: 'x' }, { slug: 'y' }, { slug: 'x', tools: { allow: ['*'] } }] },
    '/agents/2/slug "x" is the slug of two agents: entry 0 (counting from 0) has it too',
  ],
  [
    { tenants: [{ slug: 't', agents: [{ slug: 'x' }, { slug: 'x' }] }] },
    '/tenants/0/agents/1/slug "x" is the slug of two agents',
  ],
  [{ tenants: [{ slug: 't' }, { slug: 't' }] }, '/tenants/1/slug "t" is the slug of two tenants'],
  [
    {
      tenants: [
        { slug: 't', limits: ['a', 'a'].map((name) => ({ name, of: 'agent', callsPerMinute: 1 })) },
      ],
    },
    '/tenants/0/limits/1/name "a" is the name of two limits',
  ],
])('the configuration %j is refused with what may be meant', async (config, message) => {
  await expect(createTestCrib({ config: config as never })).rejects.toMatchObject({
    code: 'invalid_config',
    message: expect.stringContaining(message),
  })
})

test.each([
  [{ secrets: 'key' }, 'secrets must be a list: ["key"]'],
  [{ name: 3 }, 'name must be a string'],
  [{ timeoutMs: '5' }, 'timeoutMs must be a number'],
  [{ examples: {} }, 'examples must be a list'],
  [{ name: undefined }, 'name is missing'],
])('a definition with %j says what it must be', (wrong, message) => {
  const definition = {
    ...facts,
    name: 'a.b',
    inputSchema: z.object({}),
    execute: () => 1,
    ...wrong,
  }
  expect(() => defineTool(definition as never)).toThrow(message)
})

test('a tool is called by what defineTool returned, and what is no tool is told', async () => {
  crib = await createTestCrib({ tools: [echo] })
  expect((await crib.call(echo, { text: 'hi' })).output).toEqual({ text: 'hi' })
  expect((await crib.tool(echo)).name).toBe('misuse.echo')
  const errors = []
  for (const tool of [undefined, null, 3, {}, [echo]]) {
    errors.push((await callAny(crib, tool)).error?.message)
  }
  expect(new Set(errors)).toEqual(new Set(['crib.call got no tool']))
  const { error } = await callAny(crib, echo, { text: 'hi' }, { timeout: 5 })
  expect(error).toMatchObject({
    code: 'invalid_request',
    message: 'crib.call has no option timeout; did you mean timeoutMs?',
  })
})

test('a closed crib says that it is closed, and that trying again does not help', async () => {
  const closed = await createTestCrib({ tools: [echo] })
  await closed.close()
  const error = { code: 'shutting_down', message: 'This crib is closed', retryable: false }
  expect((await closed.call(echo, { text: 'hi' })).error).toMatchObject(error)
  await expect(closed.tools()).rejects.toMatchObject(error)
  await expect(closed.calls.list()).rejects.toMatchObject(error)
  await expect(
    closed.upload({ mediaType: 'text/plain', content: new Uint8Array(1) }),
  ).rejects.toMatchObject(error)
})

test('a tool that needs secrets is tested with them, in a crib and by itself', async () => {
  const keyed = defineTool({
    ...facts,
    name: 'misuse.keyed',
    secrets: ['key', { key: 'region', optional: true }],
    inputSchema: z.object({}),
    outputSchema: z.object({ length: z.number(), region: z.string().nullable() }),
    execute: (_, { secrets }) => ({ length: secrets.key.length, region: secrets.region ?? null }),
  })
  crib = await createTestCrib({ tools: [keyed], secrets: { key: 'sixteen letters.' } })
  expect((await crib.call(keyed)).output).toEqual({ length: 16, region: null })
  const { output } = await runTool(keyed, {}, { secrets: { key: 'four', region: 'eu' } })
  expect(output).toEqual({ length: 4, region: 'eu' })
  await expect(runTool(keyed, {})).rejects.toMatchObject({
    code: 'secret_missing',
    fix: "Give it to the test: runTool(tool, input, { secrets: { key: '…' } }).",
  })
})

test.each(['key', ['key'], null])('createTestCrib refuses the secrets %j', async (secrets) => {
  await expect(createTestCrib({ tools: [echo], secrets: secrets as never })).rejects.toMatchObject({
    code: 'invalid_config',
    message: 'createTestCrib: secrets must be an object',
  })
})

test('a test decides on the approval that a call waits for', async () => {
  const asks = defineTool({
    ...facts,
    name: 'misuse.asks',
    effect: 'write',
    approval: 'always',
    inputSchema: z.object({}),
    outputSchema: z.object({ done: z.boolean() }),
    execute: () => ({ done: true }),
  })
  crib = await createTestCrib({ tools: [asks] })
  const waiting = await crib.call(asks)
  expect(waiting.status).toBe('waiting')
  expect((await crib.approvals.list({ status: 'pending' })).items).toHaveLength(1)
  await crib.approvals.approve(waiting, { user: 'ada' })
  const { status, output } = await crib.calls.wait(waiting.callId ?? '')
  expect([status, output]).toEqual(['completed', { done: true }])
  const refused = await crib.call(asks)
  await crib.approvals.reject(refused.approvalId ?? '', { reason: 'Not today' })
  expect((await crib.calls.get(refused.callId ?? '')).status).toBe('denied')
  expect((await crib.calls.list({ status: 'denied' })).items).toHaveLength(1)
  await expect(crib.approvals.approve({})).rejects.toMatchObject({ code: 'invalid_request' })
})
