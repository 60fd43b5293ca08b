import { expect, test } from 'vitest'
import { readDocument } from '../model/read-document.ts'
import { specKinds } from './kinds.ts'

test('every kind of spec has its own name, and refuses unknown fields', () => {
  const names = specKinds.map(({ kind }) => kind)
  expect(new Set(names).size).toBe(names.length)
  const unknown = names.filter((kind) => {
    const { findings } = readDocument({ spec: { kind, nobodysField: 1 } }, specKinds)
    return !findings.some(({ path }) => path === '/spec/nobodysField')
  })
  expect(unknown).toEqual([])
})
