import { expect, test } from 'vitest'
import { isInlineFile, mayBeWord, toBase64 } from './file-text.ts'

test.each([
  'Monday12',
  'report',
  'home/user/report',
  '1f8b0a9c1f8b0a9c1f8b0a9c1f8b0a9c1f8b0a9c1f8b0a9c1f8b0a9c1f8b0a9c',
])('%s is base64 only by chance', (text) => {
  expect(mayBeWord(text)).toBe(true)
})

test.each([
  ['with padding', 'aGk='],
  ['in a data URL', 'data:text/plain;base64,aGkh'],
  ['of a real file', toBase64(new Uint8Array(96).fill(65))],
  ['in lines', 'aGVs\nbG8h'],
  ['of an empty file', ''],
])('base64 %s is intended', (_what, text) => {
  expect([isInlineFile(text), mayBeWord(text)]).toEqual([true, false])
})
