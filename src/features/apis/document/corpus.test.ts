import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { toApiTool } from '../tools/to-api-tool.ts'
import { apiSchema } from '../spec.ts'
import { effectOf } from '../model.ts'
import { readApi } from './read-api.ts'

const folder = new URL('../../../../test/fixtures/apis/', import.meta.url)
const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'))
const url = 'https://docs.example/openapi.yaml'

test('the corpus is there', () => {
  expect(files.length).toBeGreaterThanOrEqual(10)
})

test.each(files)(
  '%s is imported without a crash, and its operations become tools',
  async (file) => {
    const text = readFileSync(new URL(file, folder), 'utf8')
    const { operations, facts } = await readApi({ text, url })
    expect(operations.length).toBeGreaterThan(1)
    expect(facts.servers.length).toBeGreaterThan(0)
    const spec = { ...apiSchema.parse({}), server: facts.servers[0] ?? url }
    const made = operations.map(({ definition }) =>
      toApiTool({
        api: 'x',
        spec,
        schemes: facts.schemes,
        definition,
        effect: effectOf(definition.method),
      }),
    )
    expect(made.filter(({ fault }) => fault !== undefined)).toEqual([])
    expect(new Set(made.map(({ tool }) => tool.contract.name)).size).toBe(operations.length)
  },
)

test('at least 95 % of all operations have no finding', async () => {
  const found = await Promise.all(
    files.map((file) => readApi({ text: readFileSync(new URL(file, folder), 'utf8'), url })),
  )
  const all = found.flatMap(({ operations }) => operations.map(({ definition }) => definition))
  const odd = all.filter(({ findings, fault }) => findings.length > 0 || fault !== undefined)
  const share = 1 - odd.length / all.length
  expect(
    share,
    JSON.stringify(odd.map(({ name, findings, fault }) => [name, findings, fault])),
  ).toBeGreaterThanOrEqual(0.95)
})
