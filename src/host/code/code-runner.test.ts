import { afterAll, expect, test } from 'vitest'
import { runProgram } from '../../core/code/run-program.ts'
import type { CodeProgram, RunningProgram } from '../../core/kernel/context/code.ts'
import type { CallResult } from '../../core/kernel/call.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import type { CodeRunner } from '../../core/host/code-runner.ts'
import { openCodeRunner } from './open-code-runner.ts'

const module = new URL('./code-worker.ts', import.meta.url).href
const bounds = { module, programs: 4, memoryMb: 32, waitMs: 200 }
const patient = openCodeRunner({ ...bounds, runMs: 20_000 })
const hasty = openCodeRunner({ ...bounds, runMs: 150, graceMs: 300 })
afterAll(async () => {
  await Promise.all([patient.close(), hasty.close()])
})

interface Given extends Partial<CodeProgram> {
  answer?: (tool: string, input: JsonValue) => CallResult | Promise<CallResult>
  logs?: string[]
  signal?: AbortSignal
  tenant?: string
  runner?: CodeRunner
}

async function run(source: string, given: Given = {}): Promise<JsonValue> {
  const { answer = (_, input) => ({ status: 'completed', output: input }), ...rest } = given
  const { logs = [], tenant = 'acme', runner = patient, ...more } = rest
  const { signal = new AbortController().signal, ...program } = more
  const session = await runner.codeFor(tenant, signal).open({ source, seed: 'call_1', ...program })
  try {
    return await runProgram(session, {
      calls: {
        earlier: new Map(),
        call: async ({ tool, input }) => answer(tool, input),
        busy: () => () => undefined,
      },
      maxCalls: 1000,
      onLog: (line) => logs.push(line),
    })
  } finally {
    session.close()
  }
}

test('a program computes with its input and the results of its calls', async () => {
  const source = `
    const found = await tools.billing.find({ id: input.id })
    const notes = await Promise.all([1, 2].map((n) => tools['mcp:crm:addNote']({ n })))
    const other = await callTool('other.tool')
    console.log('found', found, undefined, new Error('x'))
    return { found, notes, other, none: undefined }`
  const logs: string[] = []
  const asked: string[] = []
  const answer = (tool: string, input: JsonValue): CallResult => {
    asked.push(tool)
    return { status: 'completed', output: { got: input } }
  }
  expect(await run(source, { input: { id: 'in_1' }, answer, logs })).toEqual({
    found: { got: { id: 'in_1' } },
    notes: [{ got: { n: 1 } }, { got: { n: 2 } }],
    other: { got: {} },
  })
  expect(asked).toEqual(['billing.find', 'mcp:crm:addNote', 'mcp:crm:addNote', 'other.tool'])
  expect(logs).toEqual(['found {"got":{"id":"in_1"}} undefined Error: x'])
})

test('types are removed, and what needs a compiler is refused', async () => {
  const source = `interface A { a: number }
    const one: A = { a: 1 }
    return one.a satisfies number`
  expect(await run(source, { language: 'ts' })).toBe(1)
  await expect(run('enum A { B }', { language: 'ts' })).rejects.toThrow(/enum is not supported/)
})

test('a failed call is an error with its code, which the program may handle', async () => {
  const answer = (): CallResult => ({
    status: 'failed',
    error: { code: 'denied', message: 'Not yours', retryable: false },
  })
  const handled = `try { await tools.a.b() } catch (error) { return [error.code, error.message] }`
  expect(await run(handled, { answer })).toEqual(['denied', 'a.b: Not yours'])
  await expect(run('await tools.a.b()', { answer })).rejects.toMatchObject({
    code: 'denied',
    message: expect.stringContaining('a.b: Not yours') as string,
  })
  const forged = `throw Object.assign(new Error('no'), { code: 'approval_required' })`
  await expect(run(forged)).rejects.toMatchObject({ code: 'tool_failed' })
})

test('errors name the line of the author', async () => {
  await expect(run('\n\nnull.x')).rejects.toThrow(/cannot read property 'x' of null \(line 3\)/)
  await expect(run('const a = 1\nthis is wrong')).rejects.toThrow(/SyntaxError.*\(line 2\)/)
  await expect(run('// only a comment')).resolves.toBeNull()
})

test('chance and time are the same whenever the program is run again', async () => {
  const source = 'return [Math.random(), Math.random(), Date.now(), new Date().constructor.now()]'
  const given = { startedAt: 1_700_000_000_000 }
  const first = await run(source, given)
  expect(await run(source, given)).toEqual(first)
  expect((first as number[]).slice(2)).toEqual([1_700_000_000_000, 1_700_000_000_002])
  expect(await run(source, { ...given, seed: 'call_2' })).not.toEqual(first)
})

/** Each returns what it got hold of; nothing of the host may be in it. */
const escapes = {
  'globals of the host': `return ['process', 'require', 'fetch', 'setTimeout', 'Buffer', 'crypto', 'performance', 'WebAssembly', 'Worker', 'navigator', 'structuredClone', 'Atomics', 'SharedArrayBuffer', 'WeakRef', '__dirname', 'os', 'std', 'scriptArgs'].filter((name) => name in globalThis)`,
  'constructor.constructor': `return [
    (() => 1).constructor('return typeof process')(),
    (async () => 1).constructor('return typeof process').call ? 'function' : 'none',
    tools.constructor === undefined ? 'none' : typeof ({}).constructor.constructor('return this')().process,
    console.log.constructor('return typeof globalThis.process')(),
  ].filter((found) => found !== 'undefined' && found !== 'function')`,
  'prototypes of what the host gives': `
    const seen = []
    for (const value of [input, tools, console.log, callTool, input.list]) {
      for (let one = value, depth = 0; one != null && depth < 20; one = Object.getPrototypeOf(one), depth++) {
        if ('mainModule' in one || 'binding' in one) seen.push('host')
      }
    }
    return seen`,
  'polluted prototypes': `
    Object.prototype.polluted = 'yes'
    Array.prototype.push = () => { throw new Error('no') }
    JSON.stringify = () => '{"evil":1}'
    return []`,
  eval: `return [(0, eval)('typeof process'), new Function('return typeof process')()].filter((found) => found !== 'undefined')`,
  imports: `
    const found = []
    for (const name of ['node:fs', 'fs', 'os', 'std', 'quickjs-wasi', './prelude.ts', 'data:text/javascript,1']) {
      await import(name).then(() => found.push(name), () => undefined)
    }
    return found`,
  stacks: `
    const { stack } = new Error('x')
    return stack.includes('node:') || stack.includes('/src/') || stack.includes('file:') ? [stack] : []`,
  'stack traces that are prepared': `
    Error.prepareStackTrace = (_, sites) => sites.map((site) => typeof site.getThis)
    return [new Error('x').stack].flat().filter((one) => String(one).includes('object'))`,
  'proxies around tools': `
    const spy = new Proxy(tools, { get: (target, key, self) => Reflect.get(target, key, self) })
    return typeof spy.a.b === 'function' ? [] : ['broken']`,
  'tools by inherited names': `
    const said = await tools.__proto__({}).catch((error) => error.message)
    return said === undefined || typeof said === 'object' ? [] : [said]`,
  'a wrapper that is closed early': `})(); globalThis.leaked = 1; (async () => { return typeof process === 'undefined' ? [] : ['host']`,
  'functions of the prelude': `return ['send', 'log', 'finish', 'settle', 'prelude', 'parse', 'waiting'].filter((name) => { try { return eval('typeof ' + name) !== 'undefined' } catch { return false } })`,
  callers: `
    const found = []
    try { (function f() { found.push(typeof f.caller) })() } catch {}
    try { found.push(typeof arguments.callee.caller) } catch {}
    return found.filter((one) => one === 'function')`,
  'getters on what is returned': `return Object.defineProperty([], 'x', { get() { throw new Error('host') } })`,
  'symbols of the host': `return Object.getOwnPropertySymbols(globalThis).map(String).filter((name) => name.includes('node'))`,
}

test.each(Object.entries(escapes))('%s lead nowhere', async (_, source) => {
  expect(await run(source, { input: { list: [1] } })).toEqual([])
})

const bombs = {
  'an endless loop': ['for (;;) {}', 'timeout'],
  'a loop that catches everything': [
    'for (;;) { try { for (;;) {} } catch {} finally { for (;;) {} } }',
    'timeout',
  ],
  'a loop of microtasks': ['for (;;) await null', 'timeout'],
  'a regular expression that explodes': [`/^(a+)+$/.test('a'.repeat(50) + 'b')`, 'timeout'],
  'a loop after a call': [`await tools.a.b(); for (;;) {}`, 'timeout'],
  'a sort that never ends': [`new Array(5000).fill(0).sort(() => { for (;;) {} })`, 'timeout'],
  'a hoard of lists': [
    `const a = []; for (;;) a.push(new Array(1000).fill('x'))`,
    'quota_exceeded',
  ],
  'a hoard of texts': [`let a = 'x'; for (;;) a = a + a + Math.random()`, undefined],
  'a huge buffer': [`new Uint8Array(2 ** 31)`, undefined],
  'a huge result': [`return 'x'.repeat(5e6)`, 'tool_failed'],
  'a huge input of a call': [`await tools.a.b({ text: 'x'.repeat(5e6) })`, 'tool_failed'],
  'endless recursion': ['const f = () => f() + 1; f()', 'tool_failed'],
  'a result that holds itself': ['const a = {}; a.a = a; return a', 'tool_failed'],
  'a result that is too deep': [
    'let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return a',
    undefined,
  ],
  'a getter that never returns': ['return { get a() { for (;;) {} } }', 'timeout'],
  'an unawaited call': ['tools.a.b({}); return 1', 'tool_failed'],
  'a promise that nobody resolves': ['await new Promise(() => {})', 'tool_failed'],
  'one step that the engine can not interrupt': ['[].concat(new Array(2 ** 31)).length', 'timeout'],
} as const

test.each(Object.entries(bombs))('%s ends in an error', async (_, [source, code]) => {
  const runner = code === 'timeout' ? hasty : patient
  const error: unknown = await run(source, { runner }).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ name: 'ToolError', ...(code && { code }) })
  expect(await run('return 1', { runner: patient })).toBe(1)
})

test('calls without end are stopped', async () => {
  const running = run('for (;;) await tools.a.b()')
  await expect(running).rejects.toMatchObject({ code: 'quota_exceeded' })
})

test('its log is bounded', async () => {
  const logs: string[] = []
  await run(`for (let i = 0; i < 1e5; i++) console.log('line ' + i)`, { logs })
  expect(logs.join('\n').length).toBeLessThan(70_000)
})

test('a program that computes is stopped when its call ends', async () => {
  const controller = new AbortController()
  // It has its answer, and computes, when the call ends.
  const answer = (): CallResult => {
    setImmediate(() => controller.abort(new Error('cancelled')))
    return { status: 'completed', output: null }
  }
  const running = run('await tools.a.b(); for (;;) {}', { answer, signal: controller.signal })
  await expect(running).rejects.toThrow(/was stopped/)
  expect(await run('return 1')).toBe(1)
})

test('300 calls at once and one after the other', async () => {
  const source = `
    const all = await Promise.all(Array.from({ length: 300 }, (_, n) => tools.a.b({ n })))
    let sum = 0
    for (let n = 0; n < 300; n++) sum += (await tools.a.b({ n })).n
    return [all.length, sum]`
  expect(await run(source)).toEqual([300, 44_850])
})

test('a tenant has half of the threads, and others find one', async () => {
  const { signal } = new AbortController()
  const open = (tenant: string): Promise<RunningProgram> =>
    patient.codeFor(tenant, signal).open({ source: 'return 1', seed: 'x' })
  const held = await Promise.all([open('greedy'), open('greedy')])
  await expect(open('greedy')).rejects.toMatchObject({ code: 'rate_limited' })
  expect(await run('return 2', { tenant: 'other' })).toBe(2)
  for (const session of held) session.close()
  expect(await run('return 3', { tenant: 'greedy' })).toBe(3)
})
