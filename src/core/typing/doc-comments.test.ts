import { readFileSync } from 'node:fs'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'

/**
 * The types that authors of tools and configuration see in their editor, with a minimum number of
 * fields.
 */
const files: [file: string, least: number][] = [
  ['src/core/typing/tool-facts.ts', 35],
  ['src/core/typing/tool-definition.ts', 9],
  ['src/core/typing/shown-facts.ts', 35],
  ['src/core/typing/config-input.ts', 200],
  ['src/core/typing/call-result.ts', 5],
]

test.each(files)('every field of %s has a description that an editor shows', (file, least) => {
  const text = readFileSync(file, 'utf8')
  const { program, comments } = parseSync(file, text)
  const docEnds = new Set(
    comments.filter(({ value }) => value.startsWith('*')).map(({ end }) => end),
  )
  const fields = fieldsIn(program)
  const silent = fields.filter(({ start, name }) => {
    const before = text.slice(0, start).trimEnd().length
    return !docEnds.has(before) && !isPlain.has(name)
  })
  expect(fields.length).toBeGreaterThanOrEqual(least)
  expect(silent.map(({ name }) => name)).toEqual([])
})

/** Fields of a result that are explained by the status that has them, or are absent. */
const isPlain: ReadonlySet<string> = new Set([
  'status',
  'callId',
  'output',
  'error',
  'artifact',
  'waitingFor',
  'approvalId',
  // Of a type that no author writes.
  'completion',
])

interface Field {
  name: string
  start: number
}

function fieldsIn(node: unknown): Field[] {
  if (Array.isArray(node)) return node.flatMap(fieldsIn)
  if (typeof node !== 'object' || node === null) return []
  const { type, start, key } = node as { type?: string; start?: number; key?: Key }
  const isField = type === 'TSPropertySignature' || type === 'TSMethodSignature'
  const name = key?.name ?? key?.value ?? ''
  const own = isField && start !== undefined ? [{ name, start }] : []
  return [...own, ...Object.values(node).flatMap(fieldsIn)]
}

interface Key {
  name?: string
  value?: string
}
