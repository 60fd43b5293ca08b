import { expect, test } from 'vitest'
import { offered } from '../search/offered.fixture.ts'
import { toShortNames } from './short-names.ts'
import type { OfferedTool } from './tool-offer.ts'

const builtin = (name: string): OfferedTool => ({
  ...offered(name, [name, name]),
  wireName: name.replace('.', '_'),
  source: 'builtin',
})
const names = (tools: readonly OfferedTool[]) =>
  toShortNames(tools).map(({ name, wireName }) => `${name} as ${wireName}`)

test('file and shell tools get the names that models know, and no other tool does', () => {
  expect(names(['shell.exec', 'file.read', 'file.list', 'web.fetch'].map(builtin))).toEqual([
    'shell.exec as bash',
    'file.read as read',
    'file.list as file_list',
    'web.fetch as web_fetch',
  ])
})

test('a short name stays with the tool that has it already', () => {
  const own = { ...builtin('read'), wireName: 'read', source: 'code' as const }
  expect(names([builtin('file.read'), own])).toEqual(['file.read as file_read', 'read as read'])
})

test('a tool of the operator that replaces a built-in one keeps its own name', () => {
  expect(names([{ ...builtin('file.read'), source: 'code' }])).toEqual(['file.read as file_read'])
})
