import { expect, test } from 'vitest'
import { z } from 'zod'
import { definePack, isPack } from './define-pack.ts'
import { defineTool } from './define-tool.ts'

const read = defineTool({
  name: 'file.read',
  description: 'Read one file of the workspace.',
  effect: 'read',
  inputSchema: z.object({ path: z.string() }),
  execute: () => 'text',
})
const facts = { name: 'file', title: 'Files', description: 'Files of the workspace.' }

test('a pack contains its tools unchanged, frozen, with its defaults', () => {
  const pack = definePack({ ...facts, tools: [read] })
  expect({ ...pack }).toMatchObject({ ...facts, optIn: false, groups: [], tools: [read] })
  expect(pack.tools[0]).toBe(read)
  expect(Object.isFrozen(pack) && Object.isFrozen(pack.tools)).toBe(true)
  expect(isPack(pack)).toBe(true)
  expect(isPack({ ...facts, tools: [read] })).toBe(false)
})

test.each([
  [{ name: 'File Tools' }, /^Pack File Tools: name must be a slug/],
  [{ tools: [] }, /^Pack file: tools /],
  [{ tools: [{ name: 'file.read' }] }, /^Pack file: tools\/0 must be created by defineTool/],
  [{ tools: [read, read] }, /contains file\.read twice/],
  [{ groups: ['group:fs'] }, /groups\/0 must be a slug/],
  [{ description: '' }, /description /],
])('a pack with %j is refused', (fields, message) => {
  expect(() => definePack({ ...facts, tools: [read], ...fields } as never)).toThrow(
    expect.objectContaining({
      code: 'invalid_tool',
      message: expect.stringMatching(message) as string,
    }),
  )
})
