import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { expect, test } from 'vitest'

const assets = path.join(import.meta.dirname, '../dist/assets')
const everything = createRequire(import.meta.url).resolve('@mantine/core/styles.css')

/** Names of Mantine's classes, such as `m_77c9d27d`. */
function classes(text: string): Set<string> {
  return new Set(text.match(/\bm_[0-9a-z]+\b/g))
}

function readBuilt(ending: string): string {
  return readdirSync(assets)
    .filter((file) => file.endsWith(ending))
    .map((file) => readFileSync(path.join(assets, file), 'utf8'))
    .join('\n')
}

test('every Mantine component in the build has its styles (src/theme/mantine.css)', () => {
  const styled = classes(readFileSync(everything, 'utf8'))
  const built = classes(readBuilt('.css'))
  const used = [...classes(readBuilt('.js'))].filter((name) => styled.has(name))
  expect(used.length).toBeGreaterThan(100)
  expect(used.filter((name) => !built.has(name))).toEqual([])
})
