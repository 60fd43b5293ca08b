import { mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { configSchema } from '../src/app/config/config-schema.ts'
import { toolFacts } from '../src/core/schema/tool-definition.ts'
import { type LanguageServer, startLanguageServer } from './setup/language-server.ts'

/** `|` stands where somebody types. Every key has a value, so that the editor shows what it shows in use. */
const halfWritten = `import { defineConfig, defineTool, z } from 'toolcrib'
export const tool = defineTool({ | })
export const chosen = defineTool({ execute: () => 1, | })
export const config = defineConfig({
  agents: [{ slug: 'a', | }],
  server: { | },
  retention: { | },
  |
})
`
const written = `import { defineTool, z } from 'toolcrib'
export const plain = defineTool({
  name: 'a.b', title: 'A', description: 'A.', icon: 'star', pack: 'a', effect: 'read', idempotent: true,
  openWorld: false, examples: [{ label: 'One', input: {} }], secrets: ['key'], env: ['HOME'],
  permission: 'a.b', approval: 'auto', tenants: ['t'], runtimes: ['api'], execution: 'inline',
  isolation: 'inline', previewBinds: true, undoMs: 1, tests: [], evals: [], timeoutMs: 1, completionMs: 1, maxOutputBytes: 1024, retries: 0, cost: 0,
  concurrency: 1, sections: [{ key: 'n', label: 'N', type: 'table' }], form: { order: ['a'] },
  view: { sections: [] }, collaborative: false, aliases: ['a.c'], labels: { reads: ['private'], effects: 'none' },
  clientNeeds: ['roots'], optionsSchema: z.object({}), aggregate: () => 1, checkSecrets: { key: () => undefined },
  inputSchema: z.object({}), outputSchema: z.object({ n: z.number() }), execute: () => ({ n: 1 }),
})
export const made = defineTool({
  name: 'a.d', description: 'A.', effect: 'read', inputSchema: z.object({}),
  create: () => ({ inputSchema: z.object({ a: z.string() }), execute: ({ a }) => a }),
})
`

let folder: string
let server: LanguageServer
beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'toolcrib-editor-')))
  await symlink(path.resolve('node_modules'), path.join(folder, 'node_modules'))
  const settings = {
    extends: path.resolve('tsconfig.json'),
    compilerOptions: { paths: { toolcrib: [path.resolve('src/app/index.ts')] }, types: [] },
    include: ['*.ts'],
  }
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(settings))
  await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }')
  server = await startLanguageServer(folder)
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

/** The compiler reads all of our source along with it, which takes a busy machine its time. */
const slow = { timeout: 120_000 }

const withoutText = (keys: Map<string, string>) =>
  [...keys].filter(([, text]) => text === '').map(([key]) => key)

test(
  'an editor offers every key of a tool and of the configuration with its meaning',
  slow,
  async () => {
    const parts = halfWritten.split('|')
    const text = parts.join(' ')
    const places = parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join(' ').length)
    const file = server.open('half-written.ts', text)
    const [empty, chosen, agent, door, retention, whole] = await Promise.all(
      places.map((place) => file.keys(place)),
    )
    const facts = Object.keys(toolFacts.shape)
    const definition = [...facts, 'inputSchema', 'outputSchema', 'optionsSchema', 'aggregate']
    const sorted = (keys: Iterable<string> = []) => [...keys].toSorted()
    expect(sorted(empty?.keys())).toEqual(
      sorted([...definition, 'checkSecrets', 'execute', 'create', 'preview', 'undo']),
    )
    expect(sorted(chosen?.keys())).toEqual(
      expect.arrayContaining(['inputSchema', 'outputSchema', 'effect', 'secrets', 'labels']),
    )
    const configured = Object.keys(configSchema.shape).filter(
      (key) => !['agents', 'server', 'retention'].includes(key),
    )
    expect(sorted(whole?.keys())).toEqual(sorted(configured))
    for (const keys of [agent, door, retention]) expect(keys?.size).toBeGreaterThan(0)
    for (const keys of [empty, chosen, agent, door, retention, whole]) {
      expect(withoutText(keys ?? new Map())).toEqual([])
    }
  },
)

test('an editor explains every key of a tool on hover', slow, async () => {
  const file = server.open('written.ts', written)
  const keys = [...Object.keys(toolFacts.shape), 'optionsSchema', 'aggregate', 'checkSecrets']
  const nested = ['reads', 'effects', 'order', 'inputSchema', 'outputSchema', 'execute', 'create']
  const silent: string[] = []
  for (const key of [...keys, ...nested]) {
    const place = written.search(new RegExp(`\\b${key}:`))
    expect([key, place > 0]).toEqual([key, true])
    if ((await file.hover(place + 1)) === '') silent.push(key)
  }
  expect(silent).toEqual([])
  const again = written.lastIndexOf('inputSchema: z.object({}),\n  create')
  expect(await file.hover(again + 1)).toContain('it is shown in lists and forms')
})
