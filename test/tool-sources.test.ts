import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createAgentTools } from '../src/features/agents/agent-tools.ts'
import { createGatewayTools } from '../src/app/gateway/gateway-tools.ts'
import { createLoader } from '../src/app/loader/create-loader.ts'
import { definePack } from '../src/core/define-pack.ts'
import { defineTool } from '../src/core/define-tool.ts'
import { mcpServerSchema } from '../src/core/gateway/server-spec.ts'
import { createRegistry } from '../src/core/registry.ts'
import { createGivenTools } from '../src/core/sources/given-tools.ts'
import { createPackTools } from '../src/core/sources/pack-tools.ts'
import { testToolSource } from '../src/core/sources/tool-source.contract.ts'
import type { SourceChanged, ToolSource } from '../src/core/sources/tool-source.ts'
import { createToolSources } from '../src/core/sources/tool-sources.ts'
import { toGatewayTool } from '../src/gateway/tools/to-gateway-tool.ts'
import { freshStore } from '../src/testing/fresh-store.fixture.ts'

const word = () =>
  defineTool({
    name: 'word.say',
    description: 'Says a word, always the same one.',
    effect: 'read',
    inputSchema: { type: 'object' },
    execute: () => 'word',
  })

testToolSource('a program', async () => ({
  source: createGivenTools([word()]),
  kind: 'code',
  everyones: 'word.say',
}))

testToolSource('packs', async () => {
  const pack = definePack({ name: 'word', title: 'Words', description: 'Words.', tools: [word()] })
  return { source: createPackTools([pack]), kind: 'builtin', everyones: 'word.say' }
})

testToolSource('files', async () => {
  const { loader, file, write } = await openFolder()
  await write('first')
  const reload = async () => void (await loader.reload([file]))
  return {
    source: loader.source,
    kind: 'code',
    everyones: 'word.say',
    async load() {
      const reports = await loader.load()
      return reports.flatMap(({ error }) =>
        error === undefined ? [] : [{ file, error: new Error(error.message) }],
      )
    },
    change: () => write('second').then(reload),
    remove: () => rm(file).then(reload),
  }
})

testToolSource('MCP servers', async () => {
  const making = (description: string) =>
    toGatewayTool({
      server: 'docs',
      spec: mcpServerSchema.parse({ command: 'docs' }),
      localName: 'search',
      definition: { description, inputSchema: { type: 'object' } },
      secrets: [],
      execute: () => undefined,
    })
  let tools = [making('Search the documents.')]
  const gateway = {
    setServers: () => undefined,
    toolsOf: async ({ isForEveryone }: { isForEveryone: boolean }) => (isForEveryone ? tools : []),
  }
  const { source, changed } = createGatewayTools({ gateway, serversOf: () => ({}) })
  return {
    source,
    kind: 'gateway',
    everyones: 'mcp:docs:search',
    async change() {
      tools = [making('Search the documents by title.')]
      await changed()
    },
    async remove() {
      tools = []
      await changed()
    },
  }
})

testToolSource('agents', async () => {
  const store = await freshStore()
  const source = createAgentTools({ store })
  let changed: SourceChanged = async () => []
  const by = { kind: 'user', id: 'mem_ann' } as const
  const save = (description: string) =>
    store.rules.change('acme', by, (draft) =>
      draft.put('agent', 'helper', { body: { slug: 'helper', description } }),
    )
  await save('Knows the handbook.')
  return {
    source: { ...source, watch: (given) => void (changed = given) } satisfies ToolSource,
    kind: 'agent',
    own: 'agent:helper',
    async change() {
      await save('Knows the handbook and the calendar.')
      await changed('acme')
    },
  }
})

test('changed code gives a tool a new version, also where it is in a file that the tool imports', async () => {
  const { loader, file, folder, write } = await openFolder()
  const registry = createRegistry()
  await createToolSources(registry).attach(loader.source)
  await writeFile(path.join(folder, 'said.ts'), `export const said = 'one'\n`)
  await write('first', `import { said } from './said.ts'\nexport const all = said\n`)
  await loader.load()
  const versionOf = () => registry.find('word.say')?.version
  const first = versionOf()
  await loader.reload([file])
  expect(versionOf()).toBe(first)
  await writeFile(path.join(folder, 'said.ts'), `export const said = 'two'\n`)
  await loader.reload([path.join(folder, 'said.ts')])
  expect(versionOf()).not.toBe(first)
})

async function openFolder() {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'toolcrib sources ')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'word.tool.ts')
  const loader = createLoader({ folders: [folder], readEnv: () => ({}) })
  const write = (answer: string, more = '') =>
    writeFile(
      file,
      `import { defineTool, z } from 'toolcrib'
${more}export default defineTool({
  name: 'word.say', description: 'Says a word, always the same one.', effect: 'read',
  inputSchema: z.object({}), execute: () => '${answer}',
})
`,
    )
  return { loader, file, folder, write }
}
