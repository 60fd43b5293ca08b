import { expect, test } from 'vitest'
import { parseNewPassword, parsePersonName, toPassword } from './credentials.ts'

const fault = (work: () => unknown) => {
  try {
    return work()
  } catch (error) {
    return (error as Error).message
  }
}

test('a password has 10 to 200 characters, counted as people count them', () => {
  expect(parseNewPassword('abcdefghij', undefined)).toBe('abcdefghij')
  expect(fault(() => parseNewPassword('abcdefghi', undefined))).toContain('at least 10')
  expect(fault(() => parseNewPassword('👩'.repeat(9), undefined))).toContain('at least 10')
  expect(parseNewPassword('x'.repeat(200), undefined)).toHaveLength(200)
  expect(fault(() => parseNewPassword('x'.repeat(201), undefined))).toContain('at most 200')
})

test('the same signs are the same password, however the keyboard puts them together', () => {
  expect(toPassword('Übermorgen!')).toBe(toPassword('U\u0308bermorgen!'))
})

test('nobody takes their own address as password', () => {
  expect(fault(() => parseNewPassword('Ada@example.com', 'ada@example.com'))).toContain(
    'must not be the address',
  )
})

test('a name is one line', () => {
  expect(parsePersonName(' Ada ')).toBe('Ada')
  for (const name of ['', ' ', 'a\nb', 'x'.repeat(101)])
    expect(fault(() => parsePersonName(name))).toContain('one line')
})
