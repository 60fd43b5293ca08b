import { glob, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { apiTypes } from '../scripts/api-types/api-types.mjs'
import { commandRequests, commandRequestsFile } from '../scripts/reference/command-requests.ts'
import { configTypes, configTypesFile } from '../scripts/reference/config-types.ts'
import {
  consoleEnums,
  consoleEnumsFile,
  consoleEventFiles,
} from '../scripts/reference/console-enums.ts'
import { iconFile, iconTable } from '../scripts/reference/icon-paths.ts'
import { environmentVariables } from '../scripts/reference/environment.ts'
import { referencePages } from '../scripts/reference/pages.ts'
import { configSchema } from '../src/app/config/config-schema.ts'

const folder = path.join(import.meta.dirname, '../docs/reference')

test.each(Object.entries(await referencePages()))(
  'the reference page %s says what the code says (npm run reference)',
  async (name, text) => {
    expect(await readFile(path.join(folder, name), 'utf8')).toBe(text)
  },
)

test('every environment variable that is read has a line in the reference', async () => {
  const root = path.join(import.meta.dirname, '..')
  const files = ['bin/toolcrib']
  for await (const file of glob('src/{app,core,doors,engine,gateway,features}/**/*.ts', {
    cwd: root,
  })) {
    if (!/\.test\.ts$|testing/.test(file)) files.push(file)
  }
  const named = new Set<string>()
  for (const file of files) {
    const text = await readFile(path.join(root, file), 'utf8')
    for (const [name] of text.matchAll(/\bTOOLCRIB_[A-Z][A-Z_]*\b/g)) named.add(name)
  }
  // Set by the command for its own child process.
  named.delete('TOOLCRIB_PARENT')
  expect(named.size).toBeGreaterThan(5)
  expect([...named].filter((name) => !(name in environmentVariables))).toEqual([])
})

test("the console's types are those of the OpenAPI document (npm run reference)", async () => {
  const file = path.join(import.meta.dirname, '../console/src/api/schema.ts')
  expect(await readFile(file, 'utf8')).toBe(await apiTypes())
})

test("the console's enumerations are those of the platform (npm run reference)", async () => {
  expect(await readFile(consoleEnumsFile, 'utf8')).toBe(await consoleEnums())
  for (const [file, write] of Object.entries(consoleEventFiles)) {
    expect(await readFile(file, 'utf8')).toBe(write())
  }
})

test('no pattern of the OpenAPI document carries the flags of its regular expression', async () => {
  const text = await readFile(path.join(folder, 'openapi.json'), 'utf8')
  const patterns = [...text.matchAll(/"pattern": (".*")/g)].map(
    ([, pattern = '""']) => JSON.parse(pattern) as string,
  )
  expect(patterns.length).toBeGreaterThan(10)
  expect(patterns.filter((pattern) => /\/[dgimsuvy]+$/.test(pattern))).toEqual([])
})

test('commands send what the operations of features take (npm run reference)', async () => {
  expect(await readFile(commandRequestsFile, 'utf8')).toBe(await commandRequests())
})

test('MCP clients are shown the icons that the console knows (npm run reference)', async () => {
  expect(await readFile(iconFile, 'utf8')).toBe(await iconTable())
})

test('the types of the configuration are those of its schema (npm run reference)', async () => {
  expect(await readFile(configTypesFile, 'utf8')).toBe(configTypes())
})

test('every key of the configuration says what it means', () => {
  const schema: unknown = z.toJSONSchema(configSchema, { io: 'input' })
  const { all, silent } = keysOf(schema, '')
  expect(all).toBeGreaterThan(200)
  expect(silent).toEqual([])
})

interface SchemaNode {
  description?: string
  properties?: Record<string, SchemaNode>
  items?: SchemaNode
  additionalProperties?: SchemaNode | boolean
  anyOf?: SchemaNode[]
}

/** How many keys there are, and which have no description. */
function keysOf(schema: unknown, place: string): { all: number; silent: string[] } {
  const { properties = {}, items, additionalProperties, anyOf = [] } = schema as SchemaNode
  const own = Object.entries(properties)
  const inner = [
    ...own.map(([key, child]) => keysOf(child, `${place}.${key}`)),
    ...[items, additionalProperties, ...anyOf]
      .filter((child) => typeof child === 'object')
      .map((child) => keysOf(child, `${place}[]`)),
  ]
  const silent = own.filter(([, { description }]) => !description).map(([key]) => `${place}.${key}`)
  return {
    all: own.length + inner.reduce((sum, { all }) => sum + all, 0),
    silent: [...silent, ...inner.flatMap(({ silent }) => silent)],
  }
}
