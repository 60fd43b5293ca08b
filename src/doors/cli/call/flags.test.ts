import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isToolError } from '../../../core/kernel/errors.ts'
import type { JsonSchema, JsonValue } from '../../../core/kernel/tool.ts'
import { callLineOptions } from './call-options.ts'
import { flagsOf } from './describe-flags.ts'
import { parseFlags } from './parse-flags.ts'
import { toCallCommand, toFlagArgs } from './to-call-command.ts'
import { toInput } from './to-input.ts'

const text = { type: 'string' }
const schema: JsonSchema = {
  type: 'object',
  $defs: { money: { type: 'number', minimum: 0 } },
  properties: {
    amount: { $ref: '#/$defs/money' },
    count: { type: 'integer' },
    dryRun: { type: 'boolean' },
    items: { type: 'array', items: text },
    numbers: { type: 'array', items: { type: 'integer' } },
    note: { anyOf: [text, { type: 'null' }] },
    level: { enum: ['low', 'high'] },
    nested: { type: 'object', properties: { key: text, deepValue: { type: 'number' } } },
    list: {
      type: 'array',
      items: { type: 'object', properties: { name: text, n: { type: 'number' } } },
    },
    headers: { type: 'object', additionalProperties: text },
    invoice_id: text,
    url: text,
    agent: text,
    'dotted.key': text,
  },
}

/** The input that these words make. */
function inputOf(args: readonly string[], base?: JsonValue, from = schema): JsonValue {
  const { flags } = parseFlags(args, from, callLineOptions)
  return toInput(base, flags)
}

test.each([
  [['--amount', '12.5', '--count', '-3'], { amount: 12.5, count: -3 }],
  [['--amount=12'], { amount: 12 }],
  [['--dry-run'], { dryRun: true }],
  [['--dryRun', '--count', '1'], { dryRun: true, count: 1 }],
  [['--no-dry-run'], { dryRun: false }],
  [['--dry-run', 'false', '--count', '1'], { dryRun: false, count: 1 }],
  [['--dry-run=false'], { dryRun: false }],
  [['--items', 'a', '--items', 'b'], { items: ['a', 'b'] }],
  [['--items', 'a'], { items: ['a'] }],
  [['--items', '["a","b"]'], { items: ['a', 'b'] }],
  [['--items=[]'], { items: [] }],
  [['--numbers', '1', '--numbers', '2'], { numbers: [1, 2] }],
  [['--note', 'null'], { note: null }],
  [['--note', '12'], { note: '12' }],
  [['--level', 'high'], { level: 'high' }],
  [['--nested.key', 'v', '--nested.deep-value', '2'], { nested: { key: 'v', deepValue: 2 } }],
  [['--nested', '{"key":"w"}'], { nested: { key: 'w' } }],
  [
    ['--list.1.name', 'y', '--list.0.name', 'x', '--list.0.n', '1'],
    { list: [{ name: 'x', n: 1 }, { name: 'y' }] },
  ],
  [['--headers.Accept', 'text/html'], { headers: { Accept: 'text/html' } }],
  [['--invoice-id', 'in_1'], { invoice_id: 'in_1' }],
  [['--invoiceId', 'in_1'], { invoice_id: 'in_1' }],
  [['--dotted.key', 'x'], { 'dotted.key': 'x' }],
  [
    ['--url', 'https://example.com', '--agent', 'smith'],
    { url: 'https://example.com', agent: 'smith' },
  ],
  [['--invoice-id=--x'], { invoice_id: '--x' }],
  [['--invoice-id', '-'], { invoice_id: '-' }],
  [[], {}],
] as const)('%j makes %j', (args, input) => {
  expect(inputOf(args)).toEqual(input)
})

test('flags win over the keys of the input that they name, and touch no other', () => {
  const base = {
    amount: 1,
    nested: { key: 'old', deepValue: 3 },
    list: [{ name: 'a' }, { name: 'b' }],
  }
  expect(inputOf(['--nested.key', 'k', '--list.1.name', 'c', '--list.2.name', 'd'], base)).toEqual({
    amount: 1,
    nested: { key: 'k', deepValue: 3 },
    list: [{ name: 'a' }, { name: 'c' }, { name: 'd' }],
  })
  expect(base.nested.key).toBe('old')
})

test.each([
  [
    ['--amont', '1'],
    'There is no flag --amont.',
    /^Did you mean --amount\? The tool's flags: --amount --count --dry-run/,
  ],
  [['--count'], '--count needs a value.', /--count=--…/],
  [['--count', '--dry-run'], '--count needs a value.', /--count=/],
  [['--count', '1', '--count', '2'], '--count was given twice.', /remove the others/],
  [['word'], 'word stands alone.', /--name value/],
  [['--list.1.name', 'x'], '--list.1.name leaves a hole: item 0 is missing.', /from 0/],
  [['--__proto__', 'x'], 'There is no flag --__proto__.', /flags/],
  [['--headers.__proto__', 'x'], 'There is no flag --headers.__proto__.', /flags/],
  [['--constructor', 'x'], 'There is no flag --constructor.', /flags/],
  [['--nested.other', 'x'], 'There is no flag --nested.other.', /flags/],
  [['--list.99999999.name', 'x'], 'There is no flag --list.99999999.name.', /flags/],
] as const)('%j is refused', (args, message, fix) => {
  const error = errorOf(() => inputOf(args))
  expect(error.message).toBe(message)
  expect(error.fix).toMatch(fix)
})

test('a value of the wrong kind names its flag', () => {
  const error = errorOf(() => inputOf(['--count', 'many', '--numbers', '1', '--numbers', 'x']))
  expect(error.code).toBe('invalid_input')
  expect(error.issues.map(({ path }) => path)).toEqual(['--count', '--numbers/1'])
})

test('two fields that read alike must be written exactly', () => {
  const twins: JsonSchema = { type: 'object', properties: { dry_run: text, dryRun: text } }
  expect(inputOf(['--dryRun', 'a', '--dry_run', 'b'], undefined, twins)).toEqual({
    dryRun: 'a',
    dry_run: 'b',
  })
  expect(errorOf(() => inputOf(['--dry-run', 'a'], undefined, twins)).message).toBe(
    '--dry-run could be --dry_run or --dryRun.',
  )
})

test("a tool's field wins over an option of ours, but never over --json, --help and --input", () => {
  const clash: JsonSchema = { type: 'object', properties: { agent: text, json: text, input: text } }
  const { flags, own } = parseFlags(
    [
      '--agent',
      'x',
      '--timeout',
      '5s',
      '--json',
      '--input',
      '{}',
      '--',
      '--json',
      'j',
      '--input',
      'i',
    ],
    clash,
    callLineOptions,
  )
  expect(toInput(undefined, flags)).toEqual({ agent: 'x', json: 'j', input: 'i' })
  expect(Object.fromEntries(own)).toEqual({ timeout: ['5s'], json: [true], input: ['{}'] })
})

test('fields of a union are all offered', () => {
  const union: JsonSchema = {
    anyOf: [
      { type: 'object', properties: { kind: { const: 'a' }, size: { type: 'number' } } },
      { type: 'object', properties: { kind: { const: 'b' }, name: text } },
    ],
  }
  expect(inputOf(['--kind', 'b', '--name', '7', '--size', '7'], undefined, union)).toEqual({
    kind: 'b',
    name: '7',
    size: 7,
  })
})

test('schemas that refer to themselves end', () => {
  const ring: JsonSchema = {
    type: 'object',
    $defs: {
      node: { type: 'object', properties: { value: text, next: { $ref: '#/$defs/node' } } },
    },
    properties: { head: { $ref: '#/$defs/node' }, self: { $ref: '#/properties/self' } },
  }
  expect(inputOf(['--head.next.next.value', 'x'], undefined, ring)).toEqual({
    head: { next: { next: { value: 'x' } } },
  })
  expect(flagsOf(ring).length).toBeGreaterThan(0)
})

test('flags are described with type, default and need', () => {
  const described: JsonSchema = {
    type: 'object',
    properties: {
      amount: { type: 'integer', minimum: 1, maximum: 5, default: 2, description: 'How many' },
      level: { enum: ['low', 'high'] },
      note: { type: ['string', 'null'] },
      at: { type: 'string', format: 'date' },
      box: {
        type: 'object',
        properties: { sizes: { type: 'array', items: { type: 'number' } } },
        required: ['sizes'],
      },
    },
    required: ['amount', 'level', 'note', 'at', 'box'],
  }
  expect(
    flagsOf(described).map(({ flag, type, isRequired, defaultText }) => [
      flag,
      type,
      isRequired,
      defaultText,
    ]),
  ).toEqual([
    ['amount', 'integer 1…5', false, 'default 2'],
    ['level', 'low | high', true, undefined],
    ['note', 'text', false, undefined],
    ['at', 'date', true, undefined],
    ['box.sizes', 'list of number', true, undefined],
  ])
})

test('an example is a command that can be pasted', () => {
  expect(toCallCommand('a.b', schema, { invoiceId: 1 })).toBe(
    `toolcrib call a.b --input '{"invoiceId":1}'`,
  )
  expect(
    toCallCommand('a.b', schema, {
      invoice_id: "it's",
      amount: -1,
      dryRun: false,
      items: ['x y', 'z'],
    }),
  ).toBe(
    String.raw`toolcrib call a.b --invoice-id 'it'\''s' --amount=-1 --dry-run=false --items 'x y' --items z`,
  )
})

test('flags made of any flat input are read back as that input', () => {
  const anyText = fc.oneof(
    fc.string(),
    fc.constantFrom('', 'null', 'true', '12', '[]', '["a"]', '--x', '-', '{}'),
  )
  const record = fc.record(
    {
      amount: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
      count: fc.integer(),
      dryRun: fc.boolean(),
      items: fc.array(anyText),
      numbers: fc.array(fc.integer()),
      note: anyText,
      level: fc.constantFrom('low', 'high'),
      invoice_id: anyText,
      'dotted.key': anyText,
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(record, (input) => {
      const { flags, own } = parseFlags(toFlagArgs(schema, input), schema, callLineOptions)
      const given = own.get('input')?.[0]
      const base = typeof given === 'string' ? (JSON.parse(given) as JsonValue) : undefined
      expect(toInput(base, flags)).toEqual(input)
    }),
  )
})

function errorOf(act: () => unknown) {
  try {
    act()
  } catch (error) {
    if (isToolError(error)) return error
    throw error
  }
  throw new Error('nothing was thrown')
}
