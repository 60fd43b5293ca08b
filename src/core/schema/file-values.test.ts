import { expect, test } from 'vitest'
import type { ToolContract } from '../kernel/tool.ts'
import { compileValidator } from './compile-validator.ts'
import { type FileValue, visitFileValues } from './file-values.ts'

type Contract = Pick<ToolContract, 'inputSchema' | 'form'>

const file = { type: 'string', format: 'file' } as const
const contract: Contract = {
  inputSchema: {
    type: 'object',
    properties: {
      rows: { type: 'array', items: { type: 'object', properties: { 'a/b': file } } },
      pair: {
        type: 'array',
        prefixItems: [{ type: 'string' }, file],
        items: { $ref: '#/$defs/n' },
      },
      numbers: { type: 'array', items: { type: 'number' } },
      tree: { $ref: '#/$defs/tree' },
      chosen: { type: 'array', items: { type: 'string' } },
    },
    patternProperties: { '^x-': { type: 'string', contentEncoding: 'base64' } },
    additionalProperties: { type: 'object', properties: { deep: file } },
    $defs: {
      n: { type: 'string', format: 'data-url' },
      tree: { type: 'object', properties: { leaf: file, next: { $ref: '#/$defs/tree' } } },
    },
  },
  form: { fields: { 'chosen[]': { widget: 'file' } } },
}

test('files are found wherever the schema or the form declares one', () => {
  const input = {
    rows: [{ 'a/b': 'one', other: 'x' }, 7, null],
    pair: ['plain', 'two', 'three', 'four'],
    numbers: [1, 'five'],
    tree: { leaf: 'six', next: { leaf: 'seven', next: { next: {} } } },
    chosen: ['eight'],
    'x-raw': 'nine',
    more: { deep: 'ten', else: 'x' },
    others: { deep: 'eleven' },
  }
  const found: FileValue[] = []
  visitFileValues(contract, input, (value) => found.push(value))
  expect(found.map(({ path, text, form }) => [path, text, form])).toEqual([
    ['/rows/0/a~1b', 'one', 'reference'],
    ['/pair/1', 'two', 'reference'],
    ['/pair/2', 'three', 'data-url'],
    ['/pair/3', 'four', 'data-url'],
    ['/tree/leaf', 'six', 'reference'],
    ['/tree/next/leaf', 'seven', 'reference'],
    ['/chosen/0', 'eight', 'base64'],
    ['/x-raw', 'nine', 'base64'],
    ['/more/deep', 'ten', 'reference'],
    ['/others/deep', 'eleven', 'reference'],
  ])
})

/** The least processor time of several runs each, in turns, so that other load makes none longer. */
function fastest(...works: (() => void)[]): number[] {
  const best = works.map(() => Infinity)
  for (let round = 0; round < 7; round += 1) {
    for (const [at, work] of works.entries()) {
      const began = process.cpuUsage()
      work()
      const { user, system } = process.cpuUsage(began)
      best[at] = Math.min(best[at]!, (user + system) / 1000)
    }
  }
  return best
}

test('searching 100,000 rows is linear, as validating them is', () => {
  const rows = Array.from({ length: 100_000 }, () => ({ 'a/b': 'x', n: 1 }))
  const validate = compileValidator(contract.inputSchema)
  const [judging = 0, looking = Infinity] = fastest(
    () => void validate({ rows }),
    () => visitFileValues(contract, { rows }, () => undefined),
  )
  expect(looking).toBeLessThan(judging * 20 + 20)
})

test('stopping at the first file skips the others', () => {
  const rows = Array.from({ length: 100_000 }, () => ({ 'a/b': 'x', n: 1 }))
  const stop = () => {
    throw new Error('enough')
  }
  const [all = 0, first = Infinity] = fastest(
    () => visitFileValues(contract, { rows }, () => undefined),
    () => expect(() => visitFileValues(contract, { rows }, stop)).toThrow('enough'),
  )
  expect(first).toBeLessThan(all / 3)
})
