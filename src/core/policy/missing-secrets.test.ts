import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { findMissingSecrets, type SecretSetting } from './missing-secrets.ts'

const choice = { key: 'provider', choices: ['a', 'b'], optional: true } as const
const plain = { description: 'Looks.', effect: 'read', inputSchema: z.object({}) } as const
const look = defineTool({
  ...plain,
  name: 'billing.look',
  secrets: [
    'always',
    { key: 'never', optional: true },
    choice,
    {
      key: 'b_key',
      optional: true,
      requiredWhen: { option: 'provider', secret: 'provider', is: 'b' },
    },
    { key: 'c_key', optional: true, requiredWhen: { option: 'mode', is: 'deep' } },
  ],
  optionsSchema: z.object({
    provider: z.string().nullable().default(null),
    mode: z.string().default('deep'),
  }),
  execute: () => null,
})

const missing = (setting: Partial<SecretSetting>) =>
  findMissingSecrets(look.contract, {
    secrets: new Set(['always']),
    choices: new Map(),
    options: {},
    ...setting,
  }).map(({ key, because }) => `${key}${because === undefined ? '' : ` because ${because}`}`)

test('a secret is required only while its condition holds', () => {
  const options = { mode: 'flat' }
  expect(missing({ options })).toEqual([])
  expect(missing({ options, secrets: new Set() })).toEqual(['always'])
  const choices = new Map([['provider', 'b']])
  expect(missing({ options, choices })).toEqual(['b_key because provider is b'])
  expect(missing({ options, choices, secrets: new Set(['always', 'b_key']) })).toEqual([])
})

test('the option of the agent wins over the secret, and null is not set', () => {
  const choices = new Map([['provider', 'b']])
  expect(missing({ options: { mode: 'flat', provider: 'a' }, choices })).toEqual([])
  expect(missing({ options: { mode: 'flat', provider: null }, choices })).toHaveLength(1)
  expect(missing({ options: { mode: 'flat', provider: 'b' } })).toEqual([
    "b_key because the agent's option provider is b",
  ])
})

test('the default of an option counts', () => {
  expect(missing({})).toEqual(["c_key because the agent's option mode is deep"])
})

test.each([
  [{ key: 'k', requiredWhen: { option: 'o', is: 'x' } }, 'add optional: true'],
  [{ key: 'k', optional: true, requiredWhen: { is: 'x' } }, 'needs option, secret or both'],
  [{ key: 'k', optional: true, requiredWhen: { secret: 'provider', is: 'c' } }, 'must name'],
  [{ key: 'k', optional: true, requiredWhen: { secret: 'other', is: 'a' } }, 'must name'],
] as const)('the condition %j is refused', (secret, message) => {
  const define = () =>
    defineTool({
      ...plain,
      name: 'billing.wrong',
      secrets: [choice, secret],
      execute: () => null,
    })
  expect(define).toThrow(message)
})
