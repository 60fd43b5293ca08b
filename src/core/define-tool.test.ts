import { expect, test } from 'vitest'
import { z } from 'zod'
import type { CallContext } from './kernel/call.ts'
import { defineTool, isTool, toTool } from './define-tool.ts'
import { isToolError, type ToolError } from './kernel/errors.ts'

const context = { tenant: 'acme' } as CallContext

const smallest = {
  name: 'billing.find',
  description: 'Find invoices by customer.',
  effect: 'read',
  inputSchema: z.object({ customer: z.string(), limit: z.number().nullable() }),
  execute: () => 'found',
} as const

test('a minimal tool has every default', () => {
  const tool = defineTool(smallest)
  expect(tool.contract).toEqual({
    name: 'billing.find',
    title: 'Billing find',
    description: 'Find invoices by customer.',
    icon: undefined,
    pack: 'billing',
    source: 'code',
    effect: 'read',
    idempotent: true,
    openWorld: false,
    inputSchema: {
      type: 'object',
      properties: { customer: { type: 'string' }, limit: { type: ['number', 'null'] } },
      required: ['customer', 'limit'],
    },
    outputSchema: undefined,
    optionsSchema: undefined,
    examples: [],
    secrets: [],
    env: [],
    permission: undefined,
    approval: 'auto',
    tenants: [],
    runtimes: [],
    execution: 'inline',
    isolation: 'inline',
    timeoutMs: 30_000,
    maxOutputBytes: 51_200,
    completionMs: 86_400_000,
    concurrency: undefined,
    retries: 0,
    cost: 0,
    sections: [],
    form: undefined,
    view: undefined,
    collaborative: false,
    aliases: [],
  })
  expect(tool.warnings).toEqual([])
  expect(isTool(tool)).toBe(true)
  expect(isTool({ ...tool })).toBe(true)
  expect(isTool({ contract: tool.contract })).toBe(false)
})

test('a tool is frozen recursively', () => {
  const tool = defineTool({ ...smallest, examples: [{ label: 'All', input: { customer: 'c' } }] })
  expect(Object.isFrozen(tool)).toBe(true)
  expect(Object.isFrozen(tool.contract.inputSchema['properties'])).toBe(true)
  expect(Object.isFrozen(tool.contract.examples[0]?.input)).toBe(true)
})

test('secrets are written as a key or in full', () => {
  const { contract } = defineTool({
    ...smallest,
    secrets: [
      'stripe_key',
      { key: 'region', choices: ['eu', 'us'], sensitive: false, optional: true },
    ],
  })
  expect(contract.secrets).toEqual([
    {
      key: 'stripe_key',
      label: 'Stripe key',
      optional: false,
      type: 'text',
      choices: [],
      sensitive: true,
    },
    {
      key: 'region',
      label: 'Region',
      optional: true,
      type: 'select',
      choices: ['eu', 'us'],
      sensitive: false,
    },
  ])
})

test.each([
  ['/name', { name: 'Billing.Find' }],
  ['/name', { name: 'mcp:github:search' }],
  ['/description', { description: '   ' }],
  ['/description', { description: 'x'.repeat(1025) }],
  ['/effect', { effect: 'maybe' }],
  ['/timeoutMs', { timeoutMs: 0 }],
  ['/timeoutMs', { timeoutMs: 86_400_001 }],
  ['/maxOutputBytes', { maxOutputBytes: 100 }],
  ['/maxOutputBytes', { maxOutputBytes: 20_000_000 }],
  ['/retries', { retries: 11 }],
  ['/cost', { cost: -1 }],
  ['/cost', { cost: Infinity }],
  ['/retries', { effect: 'write', retries: 1 }],
  ['/examples', { examples: Array.from({ length: 51 }, () => ({ label: 'x', input: {} })) }],
  ['/examples/0/input', { examples: [{ label: 'x', input: { at: new Date(0) } }] }],
  ['/form', { form: () => 1 }],
  ['/view/at', { view: { at: 1n } }],
  ['/view/sections/0/kind', { view: { sections: [{ path: 'a', kind: 'pie' }] } }],
  ['/view/sections/0/chart', { view: { sections: [{ path: 'a', kind: 'table', chart: {} }] } }],
  [
    '/view/sections/0/columns/0/format',
    { view: { sections: [{ path: 'a', columns: [{ key: 'b', format: 'money' }] }] } },
  ],
  [
    '/view/sections/0/columns/1/key',
    { view: { sections: [{ path: 'a', columns: [{ key: 'b' }, { key: 'b' }] }] } },
  ],
  ['/view/sections/0/wide', { view: { sections: [{ path: 'a', wide: true }] } }],
  ['/secrets/0', { secrets: ['1key'] }],
  ['/secrets', { secrets: ['key', { key: 'key' }] }],
  ['/secrets/0/choices', { secrets: [{ key: 'key', type: 'select' }] }],
  ['/env/0', { env: ['NOT A NAME'] }],
  ['/runtimes/0', { runtimes: ['moon'] }],
  ['/approval', { approval: 'never' }],
  ['/execution', { execution: 'later' }],
  ['/timeout', { timeout: 30 }],
  ['/execute', { execute: undefined }],
  ['/execute', { execute: 'code' }],
  ['/create', { create: () => undefined }],
  ['/inputSchema', { inputSchema: undefined }],
  ['/aggregate', { aggregate: 1 }],
])('an invalid definition at %s is refused', (path, fields) => {
  const error = catchToolError(() => defineTool({ ...smallest, ...fields } as never))
  expect(error.code).toBe('invalid_tool')
  expect(error.issues.map((issue) => issue.path)).toContain(path)
  expect(error.message).toMatch(/^Tool \S+: /)
})

test('the message of an invalid definition names the tool, the field and the fix', () => {
  const wrong = { ...smallest, effect: 'write' as const, retries: 3, timeout: 5, description: '' }
  const error = catchToolError(() => defineTool(wrong as never))
  expect(error.message).toBe(
    'Tool billing.find: description must not be empty; timeout is not a field of a tool; you may mean timeoutMs',
  )
  const retries = catchToolError(() => defineTool({ ...smallest, effect: 'write', retries: 3 }))
  expect(retries.message).toMatch(
    /^Tool billing\.find: retries is 3 .* it might do it twice\. Set retries: 0/,
  )
})

test('an idempotent tool with an effect may retry', () => {
  const { contract } = defineTool({ ...smallest, effect: 'write', idempotent: true, retries: 3 })
  expect(contract.retries).toBe(3)
})

test('a schema that JSON Schema cannot express is refused with the tool, the field and the place', () => {
  const inputSchema = z.object({ from: z.object({ at: z.date() }) })
  const error = catchToolError(() => defineTool({ ...smallest, inputSchema, execute: () => 1 }))
  expect(error.code).toBe('invalid_schema')
  expect(error.issues.map(({ path }) => path)).toEqual([
    '/inputSchema/properties/from/properties/at',
  ])
  expect(error.message).toMatch(/^Tool billing\.find, inputSchema: .*z\.iso\.datetime/)
})

test('an invalid example is dropped with a warning that has its place', () => {
  const { contract, warnings } = defineTool({
    ...smallest,
    examples: [
      { label: 'Wrong', input: { customer: 7 } },
      { label: 'Right', input: { customer: 'c_1' } },
    ],
  })
  expect(contract.examples).toEqual([{ label: 'Right', input: { customer: 'c_1' } }])
  expect(warnings).toEqual([
    { path: '/examples/0/input/customer', message: 'must be a string, got a number' },
  ])
})

test('a section for a key that the output lacks is a warning', () => {
  const { warnings } = defineTool({
    ...smallest,
    outputSchema: z.object({ total: z.number() }),
    sections: [
      { key: 'total', label: 'Total', type: 'summary' },
      { key: 'sum', label: 'Sum', type: 'table' },
      { key: 'total', label: 'Text', type: 'code', fields: { path: 'total', language: 'kind' } },
    ],
    execute: () => ({ total: 1 }),
  })
  expect(warnings).toEqual([
    { path: '/sections/1/key', message: 'names sum, which is not in the output' },
    { path: '/sections/2/fields/language', message: 'names kind, which is not in the output' },
  ])
})

test('input is filled and stripped before execute, output after it', async () => {
  const tool = defineTool({
    ...smallest,
    outputSchema: z.object({ total: z.number(), note: z.string().nullable() }),
    execute: () => ({ total: 1, note: null }),
  })
  const behaviour = await tool.behaviour(context)
  expect(behaviour.parseInput({ customer: 'c', more: 1 })).toEqual({
    ok: true,
    value: { customer: 'c', limit: null },
  })
  expect(behaviour.parseOutput({ total: 1, more: 1 })).toEqual({
    ok: true,
    value: { total: 1, note: null },
  })
  expect(behaviour.parseOutput({ total: '1' })).toEqual({
    ok: false,
    issues: [{ path: '/total', message: 'must be a number, got a string' }],
  })
})

test('a tool created per call has the schemas of its caller', async () => {
  const tool = defineTool({
    name: 'billing.pick',
    description: 'Pick one of the plans you have.',
    effect: 'read',
    create: ({ tenant }) => ({
      inputSchema: z.object({ plan: z.enum([tenant, 'free']) }),
      execute: ({ plan }) => plan.length,
    }),
  })
  expect(tool.isDynamic).toBe(true)
  expect(tool.parseInput({ anything: 1 })).toEqual({ ok: true, value: { anything: 1 } })
  const behaviour = await tool.behaviour(context)
  expect(behaviour.parseInput({ plan: 'acme' })).toEqual({ ok: true, value: { plan: 'acme' } })
  expect(behaviour.parseInput({ plan: 'other' })).toEqual({
    ok: false,
    issues: [{ path: '/plan', message: 'must be one of "acme" or "free"' }],
  })
})

test('a tool created per call without a function fails that call', async () => {
  const create = () => ({ inputSchema: z.object({}) })
  const tool = defineTool({ name: 'a.b', description: 'Broken.', effect: 'read', create } as never)
  await expect(tool.behaviour(context)).rejects.toMatchObject({ code: 'invalid_tool' })
})

test('the types of input and output follow the schemas', () => {
  const facts = { name: 'a.b', description: 'Typed.', effect: 'read' } as const
  const inputSchema = z.object({ n: z.number().nullable(), t: z.string().transform(Number) })
  const outputSchema = z.object({ r: z.number() })
  const tools = [
    defineTool({
      ...facts,
      inputSchema,
      outputSchema,
      execute: async ({ n, t }) => ({ r: (n ?? 0) + t }),
    }),
    defineTool({
      ...facts,
      inputSchema,
      outputSchema,
      async *execute({ t }, { signal }) {
        yield { r: signal ? 1 : 0 }
        return { r: t }
      },
    }),
    // @ts-expect-error the output is not a number
    defineTool({ ...facts, inputSchema, outputSchema, execute: () => ({ r: 'one' }) }),
    // @ts-expect-error there is no such field
    () => defineTool({ ...facts, timeout: 1, inputSchema, execute: () => 1 }),
    defineTool({ ...facts, inputSchema: { type: 'object' }, execute: (input: unknown) => input }),
  ]
  expect(tools).toHaveLength(5)
})

test('a tool of another source may have a namespaced name and a long description', async () => {
  const tool = toTool(
    {
      name: 'mcp:github:Search_Issues',
      description: 'x'.repeat(5000),
      effect: 'write',
      openWorld: true,
      source: 'gateway',
      inputSchema: { type: 'object', properties: { q: { type: 'string', default: 'all' } } },
    },
    { execute: (input) => input },
  )
  expect(tool.contract).toMatchObject({
    pack: 'mcp',
    source: 'gateway',
    title: 'Mcp github Search Issues',
  })
  const behaviour = await tool.behaviour(context)
  expect(behaviour.parseInput({ more: 1 })).toEqual({ ok: true, value: { q: 'all' } })
})

test('a hostile schema of another source is refused, not compiled', () => {
  const facts = {
    name: 'mcp:evil:tool',
    description: 'Evil.',
    effect: 'read',
    source: 'gateway',
  } as const
  const inputSchema = { type: 'object', properties: { a: { $ref: 'https://evil.example/schema' } } }
  const error = catchToolError(() => toTool({ ...facts, inputSchema }, { execute: () => 1 }))
  expect(error.code).toBe('invalid_schema')
  expect(error.issues.map(({ path }) => path)).toEqual(['/inputSchema/properties/a/$ref'])
})

function catchToolError(run: () => unknown): ToolError {
  try {
    run()
  } catch (error) {
    if (isToolError(error)) return error
    throw error
  }
  throw new Error('nothing was thrown')
}
