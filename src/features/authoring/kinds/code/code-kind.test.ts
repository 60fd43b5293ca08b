import { expect, test } from 'vitest'
import type { ToolContract } from '../../../../core/kernel/tool.ts'
import { findCalledTools } from './called-tools.ts'
import { codeKind, type CodeSpec } from './code-kind.ts'

const effects = { 'billing.find': 'read', 'billing.refund': 'destructive', 'crm.note': 'write' }
const known = {
  find: (name: string) =>
    name in effects
      ? ({ effect: effects[name as keyof typeof effects], openWorld: false } as ToolContract)
      : undefined,
  names: () => Object.keys(effects),
}

function toDocument(source: string, language?: CodeSpec['language']) {
  const spec: CodeSpec = { kind: 'code', source, language }
  return { name: 'my.code', description: 'Test', inputSchema: { type: 'object' }, spec }
}

const check = (source: string, language?: CodeSpec['language']) =>
  codeKind.check(toDocument(source, language), known).map(({ message }) => message)

test('the tools that a program calls are read from its text', () => {
  const { names, isDynamic } = findCalledTools(`
    await tools.billing.find({})
    await tools['mcp:crm:add-note']({}), tools.github['issue-get'] ({})
    callTool("other.tool"); tools . a ?. b()
    const text = 'mytools.not.this()'`)
  expect([...names]).toEqual([
    ['billing.find', 2],
    ['mcp:crm:add-note', 3],
    ['github.issue-get', 3],
    ['a.b', 4],
    ['other.tool', 4],
  ])
  expect(isDynamic).toBe(false)
  expect(findCalledTools('callTool(name)').isDynamic).toBe(true)
  expect(findCalledTools('tools[name]()').isDynamic).toBe(true)
})

test('effect and reach follow from the tools that are called', () => {
  const derive = (source: string) => codeKind.derive(toDocument(source), known)
  expect(derive('return 1')).toEqual({ effect: 'read', openWorld: false })
  expect(derive('await tools.billing.find({})').effect).toBe('read')
  expect(derive('await tools.crm.note({}); tools.billing.refund({})').effect).toBe('destructive')
  expect(derive('await callTool(input.name)')).toEqual({ effect: 'write', openWorld: true })
})

test('syntax errors are found with their line, and unknown tools with the nearest name', () => {
  expect(check('const a = 1\nreturn a')).toEqual([])
  expect(check('return 1\nthis is wrong')).toEqual([
    expect.stringMatching(/^has a syntax error in line 2: /) as string,
  ])
  expect(check('const a: number = 1\nreturn a', 'ts')).toEqual([])
  expect(check('enum A { B }', 'ts')).toEqual([
    expect.stringMatching(/enum is not supported/) as string,
  ])
  expect(check('await tools.biling.find({})')).toEqual([
    expect.stringMatching(
      /^calls biling.find in line 1, which does not exist; did you mean "billing.find"/,
    ) as string,
  ])
  expect(check('await tools.my.code({})')).toEqual(['calls itself in line 1'])
})

test('checking a program does not run it', () => {
  const leaked = 'leakedByCheck'
  check(`})(); globalThis.${leaked} = 1; (async () => {`)
  expect(leaked in globalThis).toBe(false)
})
