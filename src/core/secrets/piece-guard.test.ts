import { expect, test } from 'vitest'
import { createPieceGuard } from './piece-guard.ts'
import { createRedactor } from './redact.ts'

const secret = 'abcdefgh12345678SECRETzz'
const redactor = createRedactor({ key: secret })

function show(values: readonly unknown[]): unknown[] {
  const guard = createPieceGuard(redactor)
  return values.map((value) => redactor.redactPartial(guard(value as string)))
}

test.each([1, 2, 5, 8, 12])('a secret in pieces of %i shows no more than any word may', (size) => {
  const pieces = `the key is ${secret}, keep it`.match(new RegExp(`.{1,${size}}`, 'gs')) ?? []
  const whole = show(pieces).join('')
  for (let at = 0; at + 6 <= secret.length; at++) {
    expect(whole).not.toContain(secret.slice(at, at + 6))
  }
  const nested = show(pieces.map((text) => ({ rows: [{ text }] })))
  expect(nested).toEqual(show(pieces).map((text) => ({ rows: [{ text }] })))
})

test('texts that replace one another, grow or only resemble the start of a secret are unchanged', () => {
  const values = ['step 1', 'step 2', 'st', 'step', 'abcd', ' and on', 'a\u0000b', 'abc', 'xyz']
  expect(show(values)).toEqual(values.with(4, ''))
  const [left, right] = [secret.slice(0, 3), secret.slice(3, 6)]
  expect(show([{ left }, { right }])).toEqual([{ left }, { right }])
})
