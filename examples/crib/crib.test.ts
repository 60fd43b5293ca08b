import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import type { JsonSchema, Tool } from 'toolcrib'
import { expect, test } from 'vitest'
import config from './toolcrib.config.ts'

const folder = path.join(import.meta.dirname, 'tools')
const files = (await readdir(folder)).filter((file) => file.endsWith('.tool.ts'))
const tools = await Promise.all(
  files.map(async (file) => {
    const module = (await import(path.join(folder, file))) as { default: Tool }
    return { file, tool: module.default }
  }),
)

test('the crib holds these tools, one a file, named for it', () => {
  const names = tools.map(({ tool }) => tool.contract.name)
  expect(names.toSorted()).toEqual([
    'analysis.ai-readiness',
    'analysis.complexity',
    'analysis.fte-impact',
    'analysis.priority-matrix',
    'analysis.process-scoper',
    'analysis.quick-score',
    'analysis.roi',
    'analysis.time-savings',
    'demo.add-note',
    'demo.business-case',
    'demo.decide-investment',
    'demo.delete-notes',
    'demo.list-notes',
    'demo.long-task',
    'demo.signed-webhook',
    'demo.stream-report',
    'demo.table-summary',
  ])
  expect(tools.map(({ tool }) => `${tool.contract.name.split('.')[1]}.tool.ts`)).toEqual(files)
})

test('only three tools have an effect, and only one destroys', () => {
  const effects = tools
    .map(({ tool }) => [tool.contract.name, tool.contract.effect])
    .filter(([, effect]) => effect !== 'read')
  expect(effects).toEqual([
    ['demo.add-note', 'write'],
    ['demo.decide-investment', 'write'],
    ['demo.delete-notes', 'destructive'],
  ])
})

test.each(tools)('$file says all that a person and a model need', ({ tool }) => {
  const { contract, warnings } = tool
  expect(warnings).toEqual([])
  expect(contract.examples.length).toBeGreaterThanOrEqual(2)
  expect(contract.sections.length).toBeGreaterThanOrEqual(1)
  expect(contract.icon).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
  expect(contract.description.length).toBeGreaterThan(100)
  expect(contract.description.length).toBeLessThan(1024)
  for (const name of mentionedTools(contract.description)) {
    expect(tools.map((other) => other.tool.contract.name)).toContain(name)
  }
})

test.each(tools)('$file has schemas that every provider takes', ({ tool }) => {
  const { inputSchema, outputSchema } = tool.contract
  expect(unportable(inputSchema, '')).toEqual([])
  expect(unportable(outputSchema ?? {}, '')).toEqual([])
  expect(undescribed(inputSchema, '')).toEqual([])
})

test('the inputs to begin with fit their tools', async () => {
  const inputs = path.join(import.meta.dirname, 'inputs')
  for (const file of await readdir(inputs)) {
    const found = tools.find((entry) => entry.file === file.replace('.json', '.tool.ts'))
    const input: unknown = JSON.parse(await readFile(path.join(inputs, file), 'utf8'))
    expect(found?.tool.parseInput(input)).toEqual({ ok: true, value: input })
  }
})

test('the configuration grants tools that exist, and one agent must ask before it deletes', () => {
  const { agents = [], profiles = {} } = config
  expect(agents.map(({ slug, model }) => [slug, model])).toEqual([
    ['analyst', 'demo'],
    ['reader', 'demo'],
  ])
  expect(agents[0]).toMatchObject({
    tools: { allow: ['analysis.*', 'demo.*'], deny: ['demo.signed-webhook'] },
    hooks: { confirm: ['demo.delete-notes'] },
  })
  const names = tools.map(({ tool }) => tool.contract.name)
  const granted = Object.values(profiles).flatMap(({ allow }) => allow)
  expect(granted.filter((name) => !names.includes(name))).toEqual([])
})

function mentionedTools(description: string): string[] {
  return [...description.matchAll(/\b(?:analysis|demo)\.[a-z-]+/g)].map(([name]) => name)
}

const refusedKeywords = [
  'oneOf',
  'allOf',
  'not',
  'prefixItems',
  'patternProperties',
  'default',
  '$ref',
]

/** Paths at which a strict provider would refuse the schema: an optional key, an open object, a keyword. */
function unportable(schema: JsonSchema, at: string): string[] {
  const { properties, required } = schema
  const keywords = refusedKeywords.filter((keyword) => Object.hasOwn(schema, keyword))
  const keys = Object.keys(properties ?? {})
  const optional = keys.filter((key) => !(required as string[] | undefined)?.includes(key))
  const isOpen = typeof schema['additionalProperties'] === 'object'
  return [
    ...keywords.map((keyword) => `${at}/${keyword}`),
    ...optional.map((key) => `${at}/${key} is optional`),
    ...(isOpen ? [`${at} is open`] : []),
    ...children(schema).flatMap(([key, child]) => unportable(child, `${at}/${key}`)),
  ]
}

function undescribed(schema: JsonSchema, at: string): string[] {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>)
  const bare = properties.filter(([, child]) => typeof child['description'] !== 'string')
  return [
    ...bare.map(([key]) => `${at}/${key}`),
    ...children(schema).flatMap(([key, child]) => undescribed(child, `${at}/${key}`)),
  ]
}

function children(schema: JsonSchema): [string, JsonSchema][] {
  const items = schema['items'] as JsonSchema | undefined
  return [
    ...Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>),
    ...(items === undefined ? [] : [['items', items] as [string, JsonSchema]]),
    ...Object.entries((schema['anyOf'] ?? []) as Record<string, JsonSchema>),
  ]
}
