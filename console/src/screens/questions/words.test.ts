import { expect, test } from 'vitest'
import { toAddressee } from './words.ts'

const nameOf = (id: string) => `name of ${id}`

test.each([
  ['requester', 'the requester'],
  ['role:operator', 'every operator'],
  ['user:m_1', 'name of m_1'],
  ['user:ada@example.com', 'ada@example.com'],
  ['key:k_1', 'key:k_1'],
])('%s is shown as %s', (to, words) => {
  expect(toAddressee(to, nameOf)).toBe(words)
})
