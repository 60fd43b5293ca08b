import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { defineTool } from './define-tool.ts'
import { sha256, toToolVersion } from './tool-version.ts'

function toolWith(description: string) {
  const inputSchema = { type: 'object', properties: { a: { type: 'string' } } } as const
  return defineTool({ name: 'a.b', description, effect: 'read', inputSchema, execute: () => null })
    .contract
}

test('the digest is SHA-256 for every length and all characters', () => {
  const texts = ['', 'abc', 'ü€😀', ...[55, 56, 63, 64, 65, 5000].map((n) => 'x'.repeat(n))]
  const expected = texts.map((text) => createHash('sha256').update(text).digest('hex'))
  expect(texts.map(sha256)).toEqual(expected)
})

test('a version depends on the contract and the code, not on the order of keys', () => {
  const contract = toolWith('Reads.')
  const reversed = Object.fromEntries(Object.entries(contract).toReversed()) as typeof contract
  const version = toToolVersion(contract)
  expect(version).toMatch(/^[0-9a-f]{12}$/)
  expect(toToolVersion(reversed)).toBe(version)
  expect(toToolVersion(toolWith('Reads.'))).toBe(version)
  expect(toToolVersion(toolWith('Reads it.'))).not.toBe(version)
  expect(toToolVersion(contract, 'other code')).not.toBe(version)
})
