import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createCrib } from '../src/app/index.ts'
import { openTestStore } from '../src/testing/index.ts'

const readme = await readFile(path.join(import.meta.dirname, '..', 'README.md'), 'utf8')

test('the tool in README loads and does what the snippets say', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'readme-'))
  const store = await openTestStore()
  onTestFinished(async () => {
    await store.close()
    await rm(folder, { recursive: true })
  })
  const [source = ''] = codeBlocks('ts').filter((code) => code.includes('defineTool('))
  await writeFile(path.join(folder, 'refund.tool.ts'), source)
  const warnings: unknown[] = []
  const crib = await createCrib({
    tools: [folder],
    data: path.join(folder, 'data'),
    config: {},
    env: {},
    store,
    onWarning: (warning) => warnings.push(warning),
  })
  onTestFinished(() => crib.close())
  const [body = ''] = /(?<=-d ').*(?=')/.exec(readme) ?? []
  const { input } = JSON.parse(body) as { input: { invoiceId: string; amount: number } }
  const result = await crib.call('billing.refund', input)
  expect(result).toMatchObject({ status: 'completed', output: { invoiceId: 'in_1', refunded: 12 } })
  expect(warnings).toEqual([])
})

test('README shows how to start and how to test a clone', () => {
  const [commands = ''] = codeBlocks('sh')
  expect(commands).toMatch(/^git clone \S+ && cd toolcrib$/m)
  expect(commands).toMatch(/^npm start\b/m)
  expect(commands).toMatch(/^npm test\b/m)
})

function codeBlocks(language: string): string[] {
  const block = new RegExp('```' + language + '\\n([\\s\\S]*?)```', 'g')
  return [...readme.matchAll(block)].map(([, code = '']) => code)
}
