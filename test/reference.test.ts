import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { apiTypes } from '../scripts/api-types/api-types.mjs'
import { iconFile, iconTable } from '../scripts/reference/icon-paths.ts'
import { referencePages } from '../scripts/reference/pages.ts'

const folder = path.join(import.meta.dirname, '../docs/reference')

test.each(Object.entries(referencePages()))(
  'the reference page %s says what the code says (npm run reference)',
  async (name, text) => {
    expect(await readFile(path.join(folder, name), 'utf8')).toBe(text)
  },
)

test("the console's types are those of the OpenAPI document (npm run reference)", async () => {
  const file = path.join(import.meta.dirname, '../console/src/api/schema.ts')
  expect(await readFile(file, 'utf8')).toBe(await apiTypes())
})

test('MCP clients are shown the icons that the console knows (npm run reference)', async () => {
  expect(await readFile(iconFile, 'utf8')).toBe(await iconTable())
})
