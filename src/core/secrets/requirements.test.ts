import { expect, test } from 'vitest'
import {
  checkSecrets,
  pickSecrets,
  pickSensitive,
  secretMissing,
  toSecretRequirement,
} from './requirements.ts'

test('a bare key is a required, sensitive text with a readable label', () => {
  expect(toSecretRequirement('stripe_key')).toEqual({
    key: 'stripe_key',
    label: 'Stripe key',
    optional: false,
    type: 'text',
    choices: [],
    sensitive: true,
  })
})

test('choices make a select, which is not sensitive unless declared so', () => {
  expect(
    toSecretRequirement({ key: 'region', label: 'Where', optional: true, choices: ['eu'] }),
  ).toEqual({
    key: 'region',
    label: 'Where',
    optional: true,
    type: 'select',
    choices: ['eu'],
    sensitive: false,
  })
  expect(toSecretRequirement({ key: 'a', choices: ['x'], sensitive: true }).sensitive).toBe(true)
})

test.each(['', '1st', 'a b', '__proto__', 'ä', 'a'.repeat(101)])(
  '%j is refused as a key',
  (key) => {
    expect(() => toSecretRequirement(key)).toThrow(
      expect.objectContaining({ code: 'invalid_tool' }),
    )
  },
)

test('a select without choices is refused', () => {
  expect(() => toSecretRequirement({ key: 'a', type: 'select' })).toThrow(
    'a select without choices',
  )
})

const required = toSecretRequirement('required')
const other = toSecretRequirement({ key: 'other', sensitive: false })
const optional = toSecretRequirement({ key: 'optional', optional: true })
const all = [required, other, optional]

test('requirements are sorted by which secrets are set', () => {
  expect(checkSecrets(all, new Set(['required', 'unrelated']))).toEqual({
    met: [required],
    missing: [other],
    unset: [optional],
  })
})

test('an empty value counts as missing', () => {
  const values = new Map([
    ['required', ''],
    ['other', 'x'],
  ])
  expect(checkSecrets(all, values)).toEqual({
    met: [other],
    missing: [required],
    unset: [optional],
  })
})

test('a tool gets only its declared keys, and only the sensitive ones are kept out of outputs', () => {
  const values = new Map([
    ['required', 'a'],
    ['other', 'b'],
    ['unrelated', 'c'],
  ])
  const secrets = pickSecrets(all, values)
  expect(secrets).toEqual({ required: 'a', other: 'b' })
  expect(pickSensitive(all, secrets)).toEqual({ required: 'a' })
})

test('the error names every missing key', () => {
  const error = secretMissing('billing.refund', [required, other])
  expect([error.code, error.message, error.fix]).toEqual([
    'secret_missing',
    'billing.refund needs required, other, which is not set',
    'Set it with: toolcrib secrets set required',
  ])
})
