import { expect, test } from 'vitest'
import { z } from 'zod'
import type { JsonSchema, JsonValue } from '../kernel/json.ts'
import {
  checkSecretFields,
  hasSecretFields,
  hideSecretFields,
  listHidden,
} from './secret-fields.ts'
import { toJsonSchema } from '../schema/to-json-schema.ts'

const secret = { type: 'string', format: 'password' }
const hide = (schema: JsonSchema, input: JsonValue) =>
  hideSecretFields({ inputSchema: { type: 'object', ...schema } }, input)

test.each<[string, JsonSchema, Record<'input' | 'shown', JsonValue>]>([
  [
    'a property',
    { properties: { p: secret } },
    { input: { p: 'hunter2' }, shown: { p: '[redacted:p]' } },
  ],
  [
    'writeOnly',
    { properties: { p: { type: 'string', writeOnly: true } } },
    { input: { p: 'hunter2' }, shown: { p: '[redacted:p]' } },
  ],
  [
    'a nested list',
    { properties: { logins: { items: { properties: { p: secret } } } } },
    {
      input: { logins: [{ p: 'one1', user: 'a' }, { p: 'two2' }] },
      shown: { logins: [{ p: '[redacted:logins.p]', user: 'a' }, { p: '[redacted:logins.p]' }] },
    },
  ],
  [
    'a tuple',
    { properties: { pair: { prefixItems: [{ type: 'string' }, secret] } } },
    { input: { pair: ['user', 'hunter2'] }, shown: { pair: ['user', '[redacted:pair]'] } },
  ],
  [
    'a reference',
    { properties: { p: { $ref: '#/$defs/key' } }, $defs: { key: secret } },
    { input: { p: 'hunter2' }, shown: { p: '[redacted:p]' } },
  ],
  [
    'one branch of several',
    {
      properties: {
        how: {
          oneOf: [
            { type: 'object', properties: { token: secret } },
            { type: 'object', properties: { file: { type: 'string' } } },
          ],
        },
      },
    },
    {
      input: { how: { token: 'hunter2', file: 'a' } },
      shown: { how: { token: '[redacted:how.token]', file: 'a' } },
    },
  ],
  [
    'allOf and else',
    { allOf: [{ if: {}, else: { properties: { p: secret } } }] },
    { input: { p: 'hunter2' }, shown: { p: '[redacted:p]' } },
  ],
  [
    'other properties',
    { additionalProperties: secret },
    { input: { a: 'hunter2' }, shown: { a: '[redacted:*]' } },
  ],
  [
    'properties by pattern, beside their name',
    { properties: { key_a: {}, b: {} }, patternProperties: { '^key_': secret } },
    { input: { key_a: 'hunter2', b: 'open' }, shown: { key_a: '[redacted:key_a]', b: 'open' } },
  ],
  [
    'a whole object',
    { properties: { login: { type: 'object', writeOnly: true } } },
    { input: { login: { user: 'a', p: 'hunter2' } }, shown: { login: '[redacted:login]' } },
  ],
  [
    'the whole input, field by field',
    { writeOnly: true },
    { input: { a: 'hunter2', b: 1 }, shown: { a: '[redacted:a]', b: '[redacted:b]' } },
  ],
  [
    'a number and a switch',
    { properties: { pin: { type: 'integer', writeOnly: true }, on: { writeOnly: true } } },
    { input: { pin: 1234, on: true }, shown: { pin: '[redacted:pin]', on: '[redacted:on]' } },
  ],
  [
    'but neither null nor an empty text',
    { properties: { p: secret, q: secret } },
    { input: { p: null, q: '' }, shown: { p: null, q: '' } },
  ],
])('%s is hidden', (_, schema, { input, shown }) => {
  expect(hide(schema, input).shown).toEqual(shown)
})

test('values get unique names, also for equal field names with different values', () => {
  const schema = { properties: { p: { items: secret } } }
  expect(hide(schema, { p: ['one1', 'two2', 'one1'] }).values).toEqual({ p: 'one1', 'p 2': 'two2' })
})

test('a form may declare a field secret; zod does so in meta', () => {
  const inputSchema = { type: 'object', properties: { p: { type: 'string' } } }
  const form = { fields: { p: { widget: 'secret' as const } } }
  expect(hideSecretFields({ inputSchema, form }, { p: 'x' }).shown).toEqual({ p: '[redacted:p]' })
  expect(hasSecretFields({ inputSchema })).toBe(false)
  const made = z.object({ p: z.string().meta({ writeOnly: true }) })
  expect(hasSecretFields({ inputSchema: toJsonSchema(made, 'input') })).toBe(true)
})

test('a placeholder in place of a secret, and a value too long to search for, are refused with their place', () => {
  const contract = { inputSchema: { type: 'object', properties: { p: secret } } }
  const issuesOf = (p: string) => {
    try {
      checkSecretFields(contract, { p })
      return []
    } catch (error) {
      return (error as { issues: { path: string }[] }).issues.map(({ path }) => path)
    }
  }
  expect(issuesOf('[redacted:p]')).toEqual(['/p'])
  expect(issuesOf('x'.repeat(40_000))).toEqual(['/p'])
  expect(issuesOf('a [redacted:p] word')).toEqual([])
})

test('hidden values are found again by comparing, whatever the current schema', () => {
  const raw = { user: 'a', logins: [{ p: 'one1' }, { p: 22_222 }], q: { deep: ['two2'] } }
  const shown = { user: 'a', logins: [{ p: '[redacted:x]' }, { p: '[redacted:x]' }], q: '(hidden)' }
  expect(listHidden(shown, raw)).toEqual({ x: 'one1', 'x 2': '22222', q: 'two2' })
})
