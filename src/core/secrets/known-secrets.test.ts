import { expect, test } from 'vitest'
import { createKnownSecrets } from './known-secrets.ts'

test('the secrets of recent calls are removed from a text; short and old ones are not', () => {
  const known = createKnownSecrets()
  expect(known.redactText('sk_live_4242')).toBe('sk_live_4242')
  known.note({ key: 'sk_live_4242', pin: '1234' })
  known.note({ key: 'another-value' })
  const text = 'sk_live_4242, another-value and 1234'
  expect(known.redactText(text)).toBe('[redacted:key], [redacted:key 2] and 1234')
  for (let index = 0; index < 999; index += 1) known.note({ other: `value number ${index}` })
  expect(known.redactText(text)).toBe('sk_live_4242, [redacted:key] and 1234')
})
