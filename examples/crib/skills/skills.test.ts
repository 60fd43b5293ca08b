import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type { Crib } from 'toolcrib'
import { createTestCrib } from 'toolcrib/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

const cwd = path.join(import.meta.dirname, '..')
const owner = {
  tenant: 'default',
  principal: { kind: 'user', id: 'owner' },
  permissions: ['*'],
  runtime: 'api',
} as const

const warnings: string[] = []
let crib: Crib
beforeAll(async () => {
  crib = await createTestCrib({
    cwd,
    config: { skills: ['./skills'], agents: [{ slug: 'reader' }] },
    onWarning: (message) => warnings.push(message),
  })
})
afterAll(() => crib.close())

test('every folder here is a skill that can be installed', async () => {
  const entries = await readdir(import.meta.dirname, { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const { items } = await crib.api.listSkills(owner, { limit: 100 })
  expect(items.map(({ name }) => name)).toEqual(folders.toSorted())
  expect(warnings).toEqual([])
})

test('a skill requires tools that exist, and allows every tool that its text names', async () => {
  const { items } = await crib.api.listSkills(owner, { limit: 100 })
  for (const { name } of items) {
    const { unknownTools, instructions } = await crib.api.findSkill(owner, { name: name })
    expect(unknownTools).toEqual([])
    await crib.api.enableSkill(owner, { slug: 'reader', name })
    const seen = (await crib.tools({ agent: 'reader', skill: name })).map((tool) => tool.name)
    const named = [...instructions.matchAll(/\b(?:analysis|demo|skill)\.[a-z-]+/g)].map(
      ([tool]) => tool,
    )
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((tool) => !seen.includes(tool))).toEqual([])
  }
})

test('a skill has every file that its text names', async () => {
  const { items } = await crib.api.listSkills(owner, { limit: 100 })
  for (const { name } of items) {
    const { files, instructions } = await crib.api.findSkill(owner, { name: name })
    const named = [...instructions.matchAll(/`([a-z-]+\/[a-z-]+\.md)`/g)].map(([, file]) => file)
    const paths = files.map((file) => file.path)
    expect(named.filter((file) => file !== undefined && !paths.includes(file))).toEqual([])
  }
})
