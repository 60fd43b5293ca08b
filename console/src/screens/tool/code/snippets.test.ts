import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { quote, toSnippets } from './snippets.ts'

const facts = { tool: 'billing.refund', input: { note: "it's" }, origin: 'http://127.0.0.1:4680' }
const textOf = (id: string, token?: string) =>
  toSnippets({ ...facts, token }).find((snippet) => snippet.id === id)?.text ?? ''

test('a shell returns quoted text unchanged', () => {
  for (const text of ["it's", '$HOME `id` "x" \\ !', "''", 'é\n漢字']) {
    expect(execFileSync('sh', ['-c', `printf %s ${quote(text)}`], { encoding: 'utf8' })).toBe(text)
  }
})

test('snippets name the variable, or contain the key if there is one', () => {
  expect(textOf('curl')).toContain('"Authorization: Bearer $TOOLCRIB_KEY"')
  expect(textOf('curl', 'crib_1')).toContain("'Authorization: Bearer crib_1'")
  expect(textOf('cli')).toBe(`toolcrib call billing.refund --input '{"note":"it'\\''s"}'`)
  expect(textOf('cli', 'crib_1')).toMatch(/^export TOOLCRIB_KEY=crib_1\n.* --url /)
  expect(JSON.parse(textOf('mcp', 'crib_1'))).toEqual({
    mcpServers: {
      toolcrib: {
        type: 'http',
        url: 'http://127.0.0.1:4680/mcp',
        headers: { Authorization: 'Bearer crib_1' },
      },
    },
  })
  expect(textOf('ts')).toContain('crib.call("billing.refund"')
  expect(textOf('ai-sdk')).toContain('process.env.TOOLCRIB_KEY')
})
