import { expect, test } from 'vitest'
import { checkSecretValue } from './check-secret-value.ts'
import { mergeRequirements } from './merge-requirements.ts'
import { type SecretSpec, toSecretRequirement } from '../../core/secrets/requirements.ts'

const tool = (name: string, ...secrets: SecretSpec[]) => ({
  name,
  secrets: secrets.map(toSecretRequirement),
})
const codeOf = (work: () => void) => {
  try {
    work()
    return 'good'
  } catch (error) {
    return (error as { code: string }).code
  }
}

test('one secret of several tools is one requirement, and the stricter word holds', () => {
  const merged = mergeRequirements([
    tool(
      'billing.find',
      { key: 'stripe_key', optional: true },
      { key: 'mode', choices: ['a', 'b'] },
    ),
    tool('billing.refund', { key: 'stripe_key', label: 'Stripe' }),
    tool('crm.sync', { key: 'mode', choices: ['b', 'c'], sensitive: true }),
  ])
  expect(merged).toEqual([
    {
      name: 'mode',
      label: 'Mode',
      type: 'select',
      choices: ['b'],
      sensitive: true,
      optional: false,
      requiredBy: ['billing.find', 'crm.sync'],
      usedBy: [],
    },
    {
      name: 'stripe_key',
      label: 'Stripe key',
      type: 'text',
      choices: [],
      sensitive: true,
      optional: false,
      requiredBy: ['billing.refund'],
      usedBy: ['billing.find'],
    },
  ])
})

test('values that no tool could use, or that could not be kept secret, are refused', () => {
  const [region] = mergeRequirements([tool('a.b', { key: 'region', choices: ['eu', 'us'] })])
  const [pin] = mergeRequirements([tool('a.b', { key: 'pin', sensitive: false })])
  const check = (value: string, requirement?: typeof region) =>
    codeOf(() => checkSecretValue('name', value, requirement))
  expect([check('eu', region), check('asia', region)]).toEqual(['good', 'invalid_input'])
  expect([check('1', pin), check('', pin)]).toEqual(['good', 'invalid_input'])
  expect([check('1234567'), check('12345678')]).toEqual(['invalid_input', 'good'])
  expect(check('long enough \0 but')).toBe('invalid_input')
  expect(() => checkSecretValue('name', '', undefined)).toThrow('The value of name is empty')
})
