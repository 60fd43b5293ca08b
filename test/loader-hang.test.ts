import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLoader } from '../src/app/loader/create-loader.ts'
import { createRegistry } from '../src/core/registry.ts'
import { createToolSources } from '../src/core/sources/tool-sources.ts'

let folder: string
beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'toolcrib hang ')))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

function toolText(name: string): string {
  return `import { defineTool, z } from 'toolcrib'
export default defineTool({
  name: '${name}', description: 'Answers with a word, always the same one.', effect: 'read',
  inputSchema: z.object({}), execute: () => 'word',
})
`
}

test('a file that never gets to its end is reported, and the others load', async () => {
  const files = ['a', 'b', 'c'].map((name) => path.join(folder, `${name}.tool.ts`))
  const [first = '', hanging = '', last = ''] = files
  await writeFile(first, toolText('one.first'))
  await writeFile(hanging, `${toolText('one.hanging')}\nawait new Promise(() => undefined)\n`)
  await writeFile(last, toolText('one.last'))
  const registry = createRegistry()
  const loader = createLoader({ folders: [folder], readEnv: () => ({}), importMs: 300 })
  await createToolSources(registry).attach(loader.source)
  const reports = await loader.load()
  expect(reports.map(({ file, tools, error }) => [file, tools, error?.message])).toEqual([
    [first, ['one.first'], undefined],
    [
      hanging,
      [],
      'The file was not loaded within 0.3 s. Look for an await outside of functions that does not end, also in what it imports; do such work in execute.',
    ],
    [last, ['one.last'], undefined],
  ])
  await writeFile(hanging, toolText('one.mended'))
  await loader.reload([hanging])
  expect(registry.list().map(({ tool }) => tool.contract.name)).toEqual([
    'one.first',
    'one.last',
    'one.mended',
  ])
})
