import { expect, test } from 'vitest'
import { specKinds } from '../kinds/kinds.ts'
import { checkDocument } from '../model/check-document.ts'
import { findLoosened } from './find-loosened.ts'

const known = { find: () => undefined, names: () => [] }
const reserved: ReadonlySet<string> = new Set()

function side(more: object) {
  const given = {
    name: 'demo.one',
    description: 'A tool for a test.',
    inputSchema: { type: 'object', properties: {} },
    spec: { kind: 'code', source: 'return 1' },
    ...more,
  }
  const { document, tool } = checkDocument(given, { kinds: specKinds, known, reserved })
  if (document === undefined || tool === undefined) throw new Error('it makes no tool')
  return { document, contract: tool.contract }
}
const pathsOf = (before: object | undefined, after: object) =>
  findLoosened(before && side(before), side(after)).map(({ path }) => path)
const http = (url: string) => ({
  spec: { kind: 'http', method: 'GET', url, headers: { 'x-key': 'secret:bank_key' } },
})

test('stricter is always possible, and so is anything for a tool that is new', () => {
  const strict = { approval: 'always', permission: 'a.b', runtimes: ['chat'], cost: 3 }
  expect(pathsOf({}, strict)).toEqual([])
  expect(pathsOf(strict, strict)).toEqual([])
  expect(pathsOf(undefined, {})).toEqual([])
  expect(pathsOf(strict, {})).toEqual(['/approval', '/permission', '/runtimes', '/cost'])
})

test('adding a secret or sending it to another host counts as looser', () => {
  expect(pathsOf(undefined, http('https://a.example/x'))).toEqual(['/secrets'])
  expect(pathsOf({}, { secrets: ['bank_key'] })).toEqual(['/secrets'])
  expect(pathsOf(http('https://a.example/x'), http('https://a.example/y'))).toEqual([])
  for (const url of ['https://b.example/x', 'http://a.example/x', 'https://a.example:444/x']) {
    expect(pathsOf(http('https://a.example/x'), http(url))).toEqual(['/spec'])
  }
})
