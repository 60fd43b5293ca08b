import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonValue } from '../kernel/json.ts'
import { variants } from '../../../test/setup/run-length.ts'
import { parsePath, parseTemplate, wholeReference } from './reference.ts'
import { malformedIn, referencesIn } from './references-in.ts'
import { resolveReferences } from './resolve-references.ts'

const [numRuns = 100] = variants([200], [20_000])

const roots = {
  input: { id: 7, name: 'Ada', lines: [{ text: 'one' }, { text: 'two' }], none: null, a: { b: 1 } },
  steps: { find: { output: { total: 3, 'e-mail address': 'a@b.c', 'x.y': true } } },
}
const fill = (value: JsonValue) => resolveReferences(value, roots)

test('a text that is one reference becomes the value with its type', () => {
  expect(fill('{{input.id}}')).toBe(7)
  expect(fill('{{ steps.find.output.total }}')).toBe(3)
  expect(fill({ to: '{{input.lines}}' })).toEqual({ to: roots.input.lines })
  expect(fill(['{{input.lines.1.text}}', '{{input.lines[0].text}}'])).toEqual(['two', 'one'])
  expect(fill('{{steps.find.output["e-mail address"]}}')).toBe('a@b.c')
  expect(fill('{{steps.find.output["x.y"]}}')).toBe(true)
  expect(fill('{{input.none}}')).toBe(null)
})

test('inside a text, missing and null are empty and objects are JSON', () => {
  expect(fill('Hi {{input.name}}, {{input.none}}{{input.absent}}{{input.a}}!')).toBe(
    'Hi Ada, {"b":1}!',
  )
  expect(fill('{{input.name}}{{input.id}}')).toBe('Ada7')
  expect(fill(' {{input.id}}')).toBe(' 7')
})

test('the key of a missing value is left out, and a list keeps its places', () => {
  expect(fill({ a: '{{input.absent}}', b: { c: '{{input.none}}', d: '{{x.y}}' } })).toEqual({
    b: { c: null },
  })
  expect(fill(['{{input.absent}}', 1])).toEqual([null, 1])
  expect(fill('{{input.absent}}')).toBe(undefined)
})

test('an escaped brace is literal, and a backslash before a reference is written twice', () => {
  expect(fill(String.raw`\{{input.id}}`)).toBe('{{input.id}}')
  expect(fill(String.raw`C:\\{{input.id}}`)).toBe(String.raw`C:\7`)
  expect(fill(String.raw`\\\{{input.id}}`)).toBe(String.raw`\{{input.id}}`)
  expect(fill(String.raw`a\b \n {{input.id}}`)).toBe(String.raw`a\b \n 7`)
})

test('of three braces the first is text, so templates of JSON work', () => {
  expect(fill('{"id":{{input.id}}}')).toBe('{"id":7}')
  expect(fill('{{{input.id}}}')).toBe('{7}')
  expect(fill('{{{{input.id}}}}')).toBe('{{7}}')
})

test.each([
  '{{{{',
  '{{',
  '{{}}',
  '{{ }}',
  '{{a b}}',
  '{{a.}}',
  '{{.a}}',
  '{{a|b}}',
  '{{a[x]}}',
  '{{a}',
])('%s is not a reference, stays as it is, and is reported', (text) => {
  expect(fill(text)).toBe(text)
  expect(referencesIn(text)).toEqual([])
  expect(malformedIn({ text })).toMatchObject([{ pointer: '/text' }])
})

test.each([
  'input.__proto__',
  'input.__proto__.x',
  'input["__proto__"].x',
  'input.constructor',
  'input.constructor.prototype',
  'input.toString',
  'constructor',
  'toString.name',
  'input.lines.length',
  'input.lines.map',
  'input.lines.-1',
  'input.lines.01',
  'input.name.length',
  'input.name.0',
])('%s names nothing: only own keys are followed', (path) => {
  expect(fill({ a: `{{${path}}}` })).toEqual({})
  expect(fill(`x{{${path}}}`)).toBe('x')
})

test('an own key named __proto__ is not followed either, and none is ever set', () => {
  const own = JSON.parse('{"input":{"__proto__":{"x":1},"constructor":2}}') as typeof roots
  expect(resolveReferences('{{input.__proto__.x}}', own)).toBe(undefined)
  expect(resolveReferences('{{input.constructor}}', own)).toBe(2)
  const filled = resolveReferences(JSON.parse('{"__proto__":"{{input}}"}') as JsonValue, roots)
  expect(Object.getPrototypeOf(filled)).toBe(Object.prototype)
  expect(({} as { id?: unknown }).id).toBe(undefined)
})

test('a megabyte of any braces is read in linear time', () => {
  const seeds = ['{', '{{', '{{a', '{{a["', '{{a["\\', '{{ ', '\\', '\\{{', '{{a.b', '}}', '{{a[1]']
  const timeOf = (seed: string, chars: number) => {
    const text = `{{${seed.repeat(Math.ceil(chars / seed.length))}`
    const startedAt = performance.now()
    parseTemplate(text)
    wholeReference(`${text}}}`)
    return performance.now() - startedAt
  }
  // Eight times the text; quadratic time would take sixty-four times as long. On a busy machine one
  // try in several is undisturbed.
  const isLinear = (seed: string) => timeOf(seed, 1_000_000) < 30 * timeOf(seed, 125_000) + 50
  for (const seed of seeds) {
    expect({ seed, isLinear: [1, 2, 3, 4, 5, 6].some(() => isLinear(seed)) }).toEqual({
      seed,
      isLinear: true,
    })
  }
})

test('a short template cannot repeat a long value without end', () => {
  const long = { input: { text: 'x'.repeat(1_000_000) } }
  expect(() => resolveReferences('{{input.text}} '.repeat(10), long)).toThrow(
    expect.objectContaining({ code: 'invalid_input' }),
  )
})

const anyKey = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('a', 'b-c', '0', 'ü', 'x.y'))
const quoted = (key: string) =>
  `[${JSON.stringify(key).replaceAll(/[{}\p{Cc}]/gu, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)}]`

test('any key can be named by quoting it', () => {
  fc.assert(
    fc.property(fc.array(anyKey, { minLength: 1, maxLength: 5 }), fc.jsonValue(), (keys, value) => {
      fc.pre(!keys.includes('__proto__'))
      let tree = value as JsonValue
      for (const key of keys.toReversed()) tree = { [key]: tree }
      const path = `input${keys.map(quoted).join('')}`
      expect(parsePath(path)).toEqual({ root: 'input', keys, path })
      expect(resolveReferences(`{{${path}}}`, { input: tree })).toEqual(value)
    }),
    { numRuns },
  )
})

test('a value without braces stays as it is, and escaping keeps any text', () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.string({ unit: fc.constantFrom('{', '}', '\\', 'a', '.') }),
      (value, text) => {
        if (!JSON.stringify(value).includes('{{')) {
          expect(resolveReferences(value as JsonValue, roots)).toEqual(value)
        }
        const escaped = text.replaceAll(
          /\\*\{\{/g,
          (run) => '\\'.repeat(2 * (run.length - 2) + 1) + '{{',
        )
        expect(resolveReferences(escaped, { a: 'wrong' })).toBe(text)
      },
    ),
    { numRuns },
  )
})
