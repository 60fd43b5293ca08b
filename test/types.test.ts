import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { printToolTypes } from '../src/core/schema/print-tool-types.ts'
import { defineTool } from '../src/core/define-tool.ts'
import { starterFiles } from '../src/doors/cli/commands/starter-files.ts'
import { z } from 'zod'

/**
 * What the compiler says to somebody who writes tools. Every line with `//→` expects an error that
 * holds the words after it, on that line; no other line may have one.
 */
const files: Record<string, string> = {
  'define.ts': `
import { defineTool, z, type CallContext } from 'toolcrib'
const facts = { name: 'a.b', description: 'A.', effect: 'read' } as const
const input = z.object({ a: z.string() })
const output = z.object({ n: z.number() })
export const tools = [
  defineTool({
    ...facts,
    inputSchema: input,
    outputSchema: output,
    execute: ({ a }) => ({
      n: a, //→ TS2322: Type 'string' is not assignable to type 'number'.
    }),
  }),
  defineTool({
    ...facts,
    inputSchema: input,
    outputSchema: output,
    async execute({ a }) { //→ Types of property 'n' are incompatible.
      return { n: a }
    },
  }),
  defineTool({
    ...facts,
    inputSchema: input,
    outputSchema: output,
    execute: () => ({}), //→ Type '{}' is not assignable to type 'Executed<{ n: number; }>'.
  }),
  defineTool({
    ...facts,
    inputSchema: input,
    execute: ({ b }) => b, //→ Property 'b' does not exist on type '{ a: string; }'.
  }),
  defineTool({
    ...facts,
    effect: 'reed', //→ Type '"reed"' is not assignable to type '"destructive" | "read" | "write"'.
    inputSchema: input,
    execute: () => 1,
  }),
  defineTool({
    ...facts,
    timeout: 3, //→ Did you mean to write 'timeoutMs'?
    inputSchema: input,
    execute: () => 1,
  }),
  defineTool({
    ...facts,
    secrets: 'key', //→ Type 'string' is not assignable to type 'readonly SecretDeclaration[]'.
    inputSchema: input,
    execute: () => 1,
  }),
  defineTool({ //→ Property 'execute' is missing
    ...facts,
    inputSchema: input,
  }),
  defineTool({
    ...facts,
    create: () => ({
      inputSchema: input,
      outputSchema: output,
      execute: ({ a }) => ({
        n: a, //→ Type 'string' is not assignable to type 'number'.
      }),
    }),
  }),
  defineTool({
    ...facts,
    execution: 'external',
    inputSchema: input,
    outputSchema: output,
    execute: (_, { completion }) => completion.url,
  }),
]
const helper = (ctx: CallContext) => ctx.secrets['key']
export const needs = defineTool({
  ...facts,
  secrets: ['key', { key: 'region', optional: true }, { key: 'user', label: 'User' }],
  env: ['HOME'],
  optionsSchema: z.object({ limit: z.number().default(3) }),
  inputSchema: input,
  execute(_, ctx) {
    const { secrets, env, options } = ctx
    const all: [string, string, string, number] = [secrets.key, secrets.user, env.HOME, options.limit]
    const region: string = secrets.region //→ Type 'string | undefined' is not assignable to type 'string'.
    secrets.typo //→ Property 'typo' does not exist on type '{ readonly key: string;
    env.PATH //→ Property 'PATH' does not exist on type '{ readonly HOME: string; }'.
    return [all, region, helper(ctx)]
  },
})
export const none = defineTool({
  ...facts,
  inputSchema: input,
  execute: (_, { secrets }) => secrets.key, //→ Property 'key' does not exist
})
`,
  'call.ts': `
import { createCrib, defineTool, z, type CallContext, type CallResult } from 'toolcrib'
import { createTestCrib, runTool } from 'toolcrib/testing'
const add = defineTool({
  name: 'sum.add',
  description: 'Add.',
  effect: 'read',
  inputSchema: z.object({
    a: z.number(),
    b: z.number().default(1),
    note: z.string().nullable(),
    rows: z.array(z.object({ unit: z.string().nullable() })).optional(),
  }),
  outputSchema: z.object({ sum: z.number() }),
  execute: ({ a, b }) => ({ sum: a + b }),
})
const crib = await createCrib({ tools: [add, './tools'] })
const result = await crib.call(add, { a: 1, rows: [{}] }, { agent: 'ops' })
if (result.status === 'completed') {
  const sum: number = result.output.sum
  const text: string = result.output.sum //→ Type 'number' is not assignable to type 'string'.
  void [sum, text]
} else if (result.status === 'failed') {
  void result.error.message.length
  void result.output.sum //→ 'result.output' is possibly 'undefined'
} else if (result.status === 'waiting') {
  void result.waitingFor
}
void result.output.sum //→ 'result.output' is possibly 'undefined'
const plain: CallResult = result
void plain.error?.code
await crib.call(add, { a: 'one' }) //→ Type 'string' is not assignable to type 'number'.
await crib.call(add, { a: 1, c: 2 }) //→ 'c' does not exist in type '{ a: number;
await crib.call(add) //→ Expected 2-3 arguments, but got 1.
await crib.call(add, { a: 1 }, { timeout: 5 }) //→ 'timeout' does not exist in type 'CallOptions'
// Names are free while nothing is written down.
const { output } = await crib.call('any.name', { whatever: 1 })
output satisfies string | number | boolean | object | null | undefined
const number: number = output //→ is not assignable to type 'number'.
export async function inside(ctx: CallContext) {
  const { sum } = await ctx.call(add, { a: 1 })
  sum satisfies number
  await ctx.call(add, { a: true }) //→ Type 'boolean' is not assignable to type 'number'.
  return [number, await ctx.call('any.name', {})]
}
const test = await createTestCrib({ tools: [add], secrets: { key: 'x' } })
await test.approvals.approve(await test.call(add, { a: 1 }), { reason: 'fine', user: 'ada' })
const run = await runTool(add, { a: 1 })
run.output.sum satisfies number
await runTool(add, { a: '1' }) //→ Type 'string' is not assignable to type 'number'.
`,
}

const refund = defineTool({
  name: 'billing.refund',
  description: 'Pay an order back.',
  effect: 'destructive',
  inputSchema: z.object({
    order: z.string().describe('Number of the order'),
    cents: z.int().nullable(),
    why: z.enum(['broken', 'late']).default('late'),
  }),
  outputSchema: z.object({ paid: z.boolean() }),
  execute: () => ({ paid: true }),
})

/** Names that were written down are global: they stand in the starter, not beside the files above. */
const named: Record<string, string> = {
  'toolcrib.d.ts': printToolTypes([refund.contract]),
  'named.ts': `
import { createCrib, type CallContext, type ToolName } from 'toolcrib'
const crib = await createCrib()
const result = await crib.call('billing.refund', { order: '7' })
if (result.status === 'completed') result.output.paid satisfies boolean
await crib.call('billing.refund', { order: 7 }) //→ Type 'number' is not assignable to type 'string'.
await crib.call('billing.refund') //→ Expected 2-3 arguments, but got 1.
await crib.call('billing.refund', { order: '7', why: 'lost' }) //→ Type '"lost"' is not assignable to type '"broken" | "late" | undefined'.
await crib.call('billing.refnd', { order: '7' }) //→ Argument of type '"billing.refnd"' is not assignable to parameter of type '"billing.refund" |
await crib.call('mcp:files:read', { anything: true })
await crib.call('read from somewhere' as ToolName, {})
export const inside = async (ctx: CallContext) => (await ctx.call('billing.refund', { order: '7' })).paid
`,
}

let folder: string
beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'toolcrib-types-')))
  await symlink(path.resolve('node_modules'), path.join(folder, 'node_modules'))
})
afterAll(() => rm(folder, { recursive: true }))

test('every exported type has a name in a declaration file', async () => {
  const project = path.resolve('tsconfig.build.json')
  const outDir = path.join(folder, 'dist')
  const options = ['--noCheck', '--emitDeclarationOnly', '--sourceMap', 'false', '--outDir', outDir]
  expect(await runCompiler(folder, ['-p', project, ...options])).toBe('')
})

test('errors of types name their cause, where it is', async () => {
  expect(await compile('free', files)).toEqual(expectedIn(files))
})

test('the starter that init writes has no type errors, and names that were written down are checked', async () => {
  const starter = starterFiles({ name: 'My Tools!', toolcrib: '^1.0.0' })
  expect(JSON.parse(starter[0]?.text ?? '')).toMatchObject({ name: 'my-tools', type: 'module' })
  const target = path.join(folder, 'starter')
  const settings = {
    extends: './tsconfig.json',
    compilerOptions: { skipLibCheck: true, paths: declarationPaths() },
  }
  await writeAll(target, {
    ...Object.fromEntries(starter.map(({ path: name, text }) => [name, text])),
    ...named,
    'with-declarations.json': JSON.stringify(settings),
  })
  expect(await findFaults(target, 'with-declarations.json')).toEqual(expectedIn(named))
})

test('the test of the starter passes', async () => {
  const preload = path.resolve('examples/crib/from-source.ts')
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', preload, '--test', '--test-reporter=tap', 'tools/hello.test.ts'],
    { cwd: path.join(folder, 'starter') },
  )
  expect(stdout).toMatch(/^# pass 2$/m)
})

/** A place, and the first words of what is wrong there. */
type Fault = { place: string; message: string }

function expectedIn(sources: Record<string, string>) {
  const sorted = Object.entries(sources).toSorted(([a], [b]) => a.localeCompare(b))
  return sorted.flatMap(([name, text]) =>
    text.split('\n').flatMap((line, index) => {
      const [, words] = line.split('//→ ')
      return words === undefined
        ? []
        : [{ place: `${name}:${index + 1}`, message: expect.stringContaining(words) }]
    }),
  )
}

async function compile(name: string, sources: Record<string, string>): Promise<Fault[]> {
  const settings = {
    extends: path.resolve('tsconfig.json'),
    compilerOptions: { skipLibCheck: true, paths: declarationPaths(), types: [] },
    include: [],
    files: Object.keys(sources).map((file) => `./${file}`),
  }
  const target = path.join(folder, name)
  await writeAll(target, {
    ...sources,
    'tsconfig.json': JSON.stringify(settings),
    'package.json': '{ "type": "module" }',
  })
  return findFaults(target, 'tsconfig.json')
}

/** As whoever installs the package has them. */
function declarationPaths() {
  const typesOf = (name: string) => [path.join(folder, 'dist', name, 'index.d.ts')]
  return {
    toolcrib: typesOf('app'),
    'toolcrib/testing': typesOf('testing'),
    'toolcrib/client': typesOf('client'),
    'toolcrib/define': typesOf('define'),
  }
}

async function findFaults(target: string, settings: string): Promise<Fault[]> {
  return toFaults(await runCompiler(target, ['--noEmit', '-p', settings]))
}

/** What the compiler prints: nothing where nothing is wrong. */
async function runCompiler(cwd: string, args: readonly string[]): Promise<string> {
  const compiler = path.resolve('node_modules/typescript/bin/tsc')
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [compiler, '--pretty', 'false', ...args],
    { cwd },
  ).catch((error: { stdout: string }) => error)
  return stdout
}

async function writeAll(target: string, sources: Record<string, string>): Promise<void> {
  for (const [file, text] of Object.entries(sources)) {
    await mkdir(path.dirname(path.join(target, file)), { recursive: true })
    await writeFile(path.join(target, file), text)
  }
}

/** One for each line of source, with all that is said about it: what follows is indented. */
function toFaults(output: string): Fault[] {
  const faults = output.split(/\n(?!\s)/).flatMap((text) => {
    const [, file, line, message] = /^(.+?)\((\d+),\d+\): error (.*)/s.exec(text) ?? []
    return file === undefined ? [] : [{ place: `${file}:${line}`, message: message ?? '' }]
  })
  return faults.sort((a, b) => a.place.localeCompare(b.place, 'en', { numeric: true }))
}
