import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCrib, type OpenCrib } from '../src/app/open-crib.ts'
import { ownerOf } from '../src/app/owner.ts'
import { isToolError } from '../src/core/kernel/errors.ts'
import type { JsonValue } from '../src/core/kernel/json.ts'
import { openTestStore } from '../src/testing/open-test-store.ts'
import { isLongRun } from './setup/run-length.ts'

const owner = ownerOf('default', 'api')
let crib: OpenCrib

beforeAll(async () => {
  crib = await openCrib({
    cwd: process.cwd(),
    data: '/nowhere',
    store: await openTestStore(),
    config: { tools: [] },
  })
})
afterAll(() => crib.close())

/** Texts that broke programs elsewhere: encodings, markup, SQL, paths, formats, invisible characters. */
const naughty = [
  ['undefined', 'null', 'true', 'NaN', '0', '-1', '1e400', '1/0', 'constructor', '__proto__'],
  ['', ' ', '\t', '\n', '\r\n', '\0', '\u0001', '\u007f', '\ufeff', '\u200b', '\u202etest', '￾'],
  ['Ω≈ç√', '田中さん', 'مرحبا', 'Ṱ̺̺̕o͞', '👩‍👩‍👧‍👦', '🏳️‍🌈', '\ud83d', '\ude00\ud83d', 'İ', 'ﬀ', 'ẞ'],
  ["'; drop table calls; --", '"', "'", '`', '\\', '%s%n', '$1', '${7*7}', '#{7*7}', '{{7*7}}'],
  ['<script>alert(1)</script>', '<img src=x onerror=alert(1)>', ']]>', '<!--', '&amp;', '--help'],
  ['../../etc/passwd', 'C:\\con', 'file:///etc/passwd', 'javascript:alert(1)', '\u001b[31mred'],
  [
    '{{',
    '}}',
    '{{{{',
    '{{input',
    '{{input.',
    '{{input.a}}}}',
    '\\{{',
    '{{ }}',
    '{%',
    'a'.repeat(5000),
  ],
].flat()

const flowMap = (name: string, value: JsonValue, more: object = {}) => ({
  name,
  description: 'Gives its value back, for tests.',
  inputSchema: { type: 'object', properties: { a: { type: ['string', 'null'] } } },
  spec: { kind: 'composition', steps: [{ id: 'map', tool: 'flow.map', input: { value } }] },
  ...more,
})
const preview = (document: JsonValue) => crib.api.previewToolSource(owner, { document })
const publish = async (document: { name: string }) => {
  const { name } = document
  await crib.api.saveToolDraft(owner, { name, document })
  return crib.api.publishTool(owner, { name })
}
const call = (tool: string, input: JsonValue = {}) => crib.api.call({ tool, input, caller: owner })

/** What the record can't hold becomes U+FFFD in outputs. */
const toOutput = (text: string) => text.toWellFormed().replaceAll('\0', '\ufffd')

/** Refused with a code, or accepted; never a fault of ours. */
async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'accepted'
  } catch (error) {
    expect(isToolError(error), String(error)).toBe(true)
    return isToolError(error) ? error.code : 'fault'
  }
}

test('a naughty text is no name, and says where', async () => {
  const { api } = crib
  for (const name of naughty.filter((text) => !/^[a-z]\w{0,99}$/.test(text))) {
    const document = flowMap(name, 1)
    const { findings, isPublishable } = await preview(document)
    expect([name, isPublishable]).toEqual([name, false])
    expect(findings.map(({ path }) => path)).toContain('/name')
    // A draft may still have a name that needs work.
    await codeOf(api.saveToolDraft(owner, { name, document }))
    await codeOf(api.findToolSource(owner, { name }))
    const created = await codeOf(api.createTool(owner, { document, publish: true }))
    const published = await codeOf(api.publishTool(owner, { name }))
    for (const code of [created, published]) expect(code).toMatch(/^invalid_|not_found$/)
  }
})

test('a naughty text is kept as it is in titles, descriptions and labels, or refused at its place', async () => {
  const { api } = crib
  for (const [index, text] of naughty.entries()) {
    const name = `naughty.n${index}`
    const document = flowMap(name, 1, {
      title: text,
      description: `Says ${text}`,
      examples: [{ label: text, input: { a: text } }],
    })
    const { isPublishable, findings } = await preview(document)
    if (!isPublishable) {
      expect(findings.map(({ path }) => path).join()).toMatch(/title|description|examples/)
      continue
    }
    // Publishing each is for the long run.
    if (!isLongRun && index % 8 > 0) continue
    await publish(document)
    expect((await api.findToolSource(owner, { name })).document).toEqual(document)
    expect((await api.findTool(owner, { name })).title).toBe(text)
  }
})

test('a naughty text in a template comes out as it went in', async () => {
  const isSound = async (text: string) => (await preview(flowMap('a.b', text))).isPublishable
  const sound: string[] = []
  for (const text of naughty) {
    if (await isSound(text)) sound.push(text)
    else expect(text).toContain('{{')
  }
  await publish(flowMap('naughty.template', sound))
  const { output } = await call('naughty.template')
  const filled = (text: string) => text.replaceAll('{{input.a}}', '').replaceAll('\\{{', '{{')
  expect(output).toEqual(sound.map((text) => toOutput(filled(text))))

  await publish(flowMap('naughty.input', ['{{input.a}}', 'It says: {{input.a}}']))
  for (const a of naughty) {
    const said = await call('naughty.input', { a })
    expect(said.output).toEqual([a, `It says: ${a}`].map(toOutput))
  }
})

test('steps may be named like what every object has', async () => {
  const ids = ['constructor', 'toString', 'hasOwnProperty', 'valueOf']
  await publish({
    ...flowMap('odd.steps', 1),
    spec: {
      kind: 'composition',
      steps: ids.map((id, index) => ({ id, tool: 'flow.map', input: { value: index } })),
      output: ids.map((id) => `{{steps.${id}.output}}`),
    },
  } as { name: string })
  expect((await call('odd.steps')).output).toEqual([0, 1, 2, 3])
})

test('a path leads to own fields only, never to what every object has', async () => {
  const paths = ['__proto__', 'constructor', '__proto__.polluted', 'constructor.name', 'toString']
  const value = paths.map((path) => `{{input.${path}}}`)
  await publish(
    flowMap(
      'proto.paths',
      { value, text: value.join('|') },
      { inputSchema: { type: 'object', additionalProperties: true } },
    ),
  )
  const { output } = await call('proto.paths')
  expect(output).toEqual({ value: paths.map(() => null), text: '||||' })
  const own = JSON.parse('{"name":"proto.own","__proto__":{"polluted":true}}') as JsonValue
  expect((await preview(own)).findings[0]?.message).toContain('__proto__')
  const deep = JSON.parse('{"a":[{"__proto__":1}]}') as JsonValue
  expect((await preview(flowMap('proto.deep', deep))).isPublishable).toBe(false)
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
})

test('an enum of 5,000 values is published, offered and held to', async () => {
  const values = Array.from({ length: 5000 }, (_, index) => `v${index}`)
  const a = { type: 'string', enum: values }
  await publish(
    flowMap('large.enum', '{{input.a}}', { inputSchema: { type: 'object', properties: { a } } }),
  )
  expect((await crib.api.findTool(owner, { name: 'large.enum' })).inputSchema).toMatchObject({
    properties: { a },
  })
  expect((await call('large.enum', { a: 'v4999' })).output).toBe('v4999')
  const wrong = await call('large.enum', { a: 'v5000' })
  expect(wrong.error?.code).toBe('invalid_input')
  // Not all 5,000 of them.
  expect(JSON.stringify(wrong.error).length).toBeLessThan(5000)
  const [issue] = (
    await preview(
      flowMap('too.large', 1, {
        inputSchema: {
          type: 'object',
          properties: { a: { enum: values.map((value) => value.padEnd(20)) } },
        },
      }),
    )
  ).findings
  expect(issue?.message).toContain('the limit is')
})

test('a template of 500 KB is checked, and one of a megabyte refused', async () => {
  const prompt = (name: string, template: string) => ({
    ...flowMap(name, 1),
    spec: { kind: 'prompt', mode: 'direct', template },
  })
  const braces = '{{input.a}} {{{{ \\{{ {{input.'.repeat(17_000)
  const { findings } = await preview(prompt('large.prompt', '{{input.a}} '.repeat(40_000)))
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
  expect((await preview(prompt('large.braces', braces))).isPublishable).toBe(false)
  const [issue] = (await preview(prompt('large.refused', 'a'.repeat(1_048_576)))).findings
  expect(issue?.message).toContain('the limit is 524288')
})

test('a small template can not become a huge text', async () => {
  await publish(flowMap('large.text', '{{input.a}}'.repeat(10_000)))
  const { error } = await call('large.text', { a: 'x'.repeat(10_000) })
  expect(error?.code).toBe('invalid_input')
  expect(error?.message).toContain('longer than')
})

const deep = (depth: number, leaf: JsonValue): JsonValue =>
  Array.from({ length: depth }).reduce<JsonValue>((items) => ({ type: 'array', items }), leaf)
const doubled = Object.fromEntries(
  Array.from({ length: 40 }, (_, index) => {
    const $ref = `#/$defs/d${index + 1}`
    return [`d${index}`, { allOf: [{ $ref }, { $ref }] }]
  }),
)
const bombs: [string, JsonValue][] = [
  ['a thousand levels', deep(1000, {})],
  ['twenty levels', deep(20, {})],
  ['a reference to itself', { $ref: '#/properties/a' }],
  ['a remote reference', { $ref: 'http://169.254.169.254/latest' }],
  ['a pattern of 100 KB', { type: 'string', pattern: '(a+)+'.repeat(20_000) }],
  ['a look behind', { type: 'string', pattern: '(?<=a)b' }],
  [
    'ten thousand fields',
    {
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 10_000 }, (_, index) => [`f${index}`, {}]),
      ),
    },
  ],
  ['a wrong type', { type: 'text' }],
  ['a list', [1]],
]

test.each(bombs)('a schema with %s is refused at its place', async (_what, a) => {
  for (const side of ['inputSchema', 'outputSchema']) {
    const document = flowMap('bomb.schema', 1, { [side]: { type: 'object', properties: { a } } })
    const { findings, isPublishable } = await preview(document)
    expect(isPublishable).toBe(false)
    expect(findings[0]?.severity).toBe('error')
    expect(findings.length).toBeLessThan(50)
  }
})

test('a schema that doubles forty times ends, one way or the other', async () => {
  const document = flowMap('bomb.doubled', 1, {
    inputSchema: {
      type: 'object',
      $defs: { ...doubled, d40: {} },
      properties: { a: { $ref: '#/$defs/d0' } },
    },
  })
  if (!(await preview(document)).isPublishable) return
  await publish(document)
  expect(['completed', 'failed']).toContain((await call('bomb.doubled', { a: 1 })).status)
})
