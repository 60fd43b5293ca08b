import { expect, test } from 'vitest'
import { aContract } from '../../../testing/a-contract.ts'
import type { KnownTools } from '../../../core/sources/known-tools.ts'
import { specKinds } from '../kinds/kinds.ts'
import { checkDocument } from './check-document.ts'

const contracts = [
  aContract({ name: 'shop.find', effect: 'read' }),
  aContract({ name: 'shop.close', effect: 'write' }),
]
const known: KnownTools = {
  find: (name) => contracts.find((contract) => contract.name === name),
  names: () => contracts.map(({ name }) => name),
}

function check(
  more: object,
  spec: object = { kind: 'http', method: 'POST', url: 'https://a.example/x' },
) {
  const given = {
    name: 'demo.one',
    description: 'A tool for tests of previews and undo.',
    inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
    outputSchema: { type: 'object', properties: { ref: { type: 'string' } } },
    spec,
    ...more,
  }
  const { tool, findings } = checkDocument(given, { kinds: specKinds, known, reserved: new Set() })
  const places = findings
    .filter(({ message }) => !/^(openai|anthropic|gemini)/.test(message))
    .map(({ path, severity }) => [path, severity])
  return { contract: tool?.contract, places }
}
const steps = (tool: string) => ({ kind: 'composition', steps: [{ id: 'one', tool, input: {} }] })

test('a document names the tools that preview and undo its calls', () => {
  const preview = {
    tool: 'shop.find',
    input: { id: '{{input.id}}' },
    summary: 'Closes {{input.id}}',
  }
  const undo = { tool: 'shop.close', input: { id: '{{output.ref}}' } }
  const { contract, places } = check({ preview, undo, undoMs: 5000, previewBinds: true })
  expect(places).toEqual([])
  expect(contract).toMatchObject({
    preview: { binds: true },
    undo: { withinMs: 5000, tool: 'shop.close' },
  })
})

test('mistakes in them are found with their place', () => {
  expect(check({ preview: { tool: 'shop.fnd', input: {} } }).places).toEqual([
    ['/preview/tool', 'error'],
  ])
  expect(check({ preview: { tool: 'shop.close', input: {} } }).places).toEqual([
    ['/preview/tool', 'error'],
  ])
  expect(check({ preview: 'calls' }).places).toEqual([['/preview', 'error']])
  expect(check({ preview: 'always' }).places).toEqual([['/preview', 'error']])
  expect(check({ undo: 'calls' }).places).toEqual([['/undo', 'error']])
  expect(check({ undo: { tool: 'shop.close', input: { id: '{{output.rf}}' } } }).places).toEqual([
    ['/undo/input/id', 'error'],
  ])
  expect(check({ preview: { tool: 'shop.find', input: { id: '{{output.ref}}' } } }).places).toEqual(
    [['/preview/input/id', 'error']],
  )
  expect(check({ undoMs: 5000 }).places).toEqual([['/undoMs', 'warning']])
  const get = { kind: 'http', method: 'GET', url: 'https://a.example/x' }
  expect(check({ undo: { tool: 'shop.close', input: {} } }, get).places).toEqual([
    ['/undo', 'error'],
  ])
})

test('a composition previews and undoes its steps, unless it only reads', () => {
  expect(check({}, steps('shop.close')).contract).toMatchObject({ preview: {}, undo: {} })
  expect(check({}, steps('shop.find')).contract?.undo).toBeUndefined()
  expect(check({ undo: 'calls' }, steps('shop.close')).places).toEqual([])
})
