import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type KeyInHand, type McpCrib, openMcpCrib } from './mcp-crib.ts'

const code = `
import { definePrompt, defineResource } from 'toolcrib'
let tell
export const greet = definePrompt({
  name: 'greet',
  title: 'Greet',
  arguments: [{ name: 'who', required: true }],
  render: ({ who }, { principal }) => \`Greet \${who} from \${principal.kind}\`,
  complete: ({ value }) => ['anna', 'bert'].filter((name) => name.startsWith(value)),
})
export const page = defineResource({
  uriTemplate: 'docs://{name}',
  name: 'docs',
  mimeType: 'text/plain',
  read({ params: { name } }) {
    if (name === 'touch') setTimeout(() => tell?.('docs://news'), 10)
    return name === 'missing' ? undefined : \`About \${name}\`
  },
  watch(changed) {
    tell = changed
    return () => (tell = undefined)
  },
})
export const bytes = defineResource({
  uri: 'docs://logo', name: 'logo', mimeType: 'image/png', read: () => new Uint8Array([1, 2, 3]),
})
`

const skill = `---
name: refunds
description: How refunds are made.
---
Ask for the receipt first.
`

const reply = `---
name: replies
description: How customers are answered.
arguments:
  - { name: customer, description: Who asks, required: true }
  - tone
---
Answer $customer in a $tone tone. $ARGUMENTS
`

let folder: string
let mcp: McpCrib
let key: KeyInHand

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mcp-library-'))
  await mkdir(path.join(folder, 'tools'))
  await mkdir(path.join(folder, 'skills/refunds'), { recursive: true })
  await writeFile(path.join(folder, 'tools/library.tool.ts'), code)
  await writeFile(path.join(folder, 'skills/refunds/SKILL.md'), skill)
  await mkdir(path.join(folder, 'skills/replies'))
  await writeFile(path.join(folder, 'skills/replies/SKILL.md'), reply)
  mcp = await openMcpCrib({
    cwd: folder,
    config: {
      tools: ['tools'],
      skills: ['skills'],
      agents: [{ slug: 'clerk', skills: ['refunds', 'replies'] }, { slug: 'other' }],
    },
  })
  key = await mcp.createKey()
})
afterAll(async () => {
  await mcp.close()
  await rm(folder, { recursive: true, force: true })
})

const eras = ['today', 'older'] as const

test.each(eras)('prompts of code and of skills are there in the era of %s', async (era) => {
  const client = await mcp.connect(key, { era })
  const { prompts } = await client.listPrompts()
  expect(prompts.map(({ name }) => name)).toEqual(['greet', 'skills/refunds', 'skills/replies'])
  const greeting = await client.getPrompt({ name: 'greet', arguments: { who: 'Ann' } })
  expect(greeting.messages).toEqual([
    { role: 'user', content: { type: 'text', text: 'Greet Ann from key' } },
  ])
  const refunds = await client.getPrompt({ name: 'skills/refunds', arguments: { task: 'Do it' } })
  expect(refunds.messages.map(({ content }) => (content as { text: string }).text.trim())).toEqual([
    'Ask for the receipt first.',
    'Do it',
  ])
  await expect(client.getPrompt({ name: 'greet' })).rejects.toMatchObject({ code: -32602 })
  await expect(client.getPrompt({ name: 'skills/nothing' })).rejects.toMatchObject({ code: -32602 })
  const ref = { type: 'ref/prompt', name: 'greet' } as const
  const { completion } = await client.complete({ ref, argument: { name: 'who', value: 'b' } })
  expect(completion).toEqual({ values: ['bert'], total: 1, hasMore: false })
  await client.close()
})

test.each(['clerk', undefined])(
  'what a skill asks for is asked for, and put into its text (agent %s)',
  async (agent) => {
    const client = await mcp.connect(await mcp.createKey(agent === undefined ? {} : { agent }))
    const { prompts } = await client.listPrompts()
    expect(prompts.find(({ name }) => name === 'skills/replies')?.arguments).toEqual([
      { name: 'customer', description: 'Who asks', required: true },
      { name: 'tone' },
      { name: 'task', description: 'What to do with it', required: false },
    ])
    const name = 'skills/replies'
    const given = { customer: 'Ann', tone: 'kind', task: 'Say yes.' }
    const { messages } = await client.getPrompt({ name, arguments: given })
    const text = 'Answer Ann in a kind tone. Say yes.\n'
    expect(messages).toEqual([{ role: 'user', content: { type: 'text', text } }])
    await expect(client.getPrompt({ name, arguments: { tone: 'kind' } })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('needs customer'),
    })
    await client.close()
  },
)

test('a key that may only call tools has the prompts of no skill, until it is an agent’s', async () => {
  const client = await mcp.connect(await mcp.createKey({ scopes: ['tools.call'] }))
  expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['greet'])
  const asked = client.getPrompt({ name: 'skills/refunds' })
  await expect(asked).rejects.toMatchObject({ code: -32602 })
  await client.close()
  const bound = await mcp.createKey({ scopes: ['tools.call'], agent: 'clerk' })
  const clerk = await mcp.connect(bound)
  const { prompts } = await clerk.listPrompts()
  expect(prompts.map(({ name }) => name)).toContain('skills/refunds')
  await clerk.close()
})

test('an agent has the prompts of its own skills alone', async () => {
  const seen = async (agent: string) => {
    const client = await mcp.connect(await mcp.createKey({ agent }))
    const { prompts } = await client.listPrompts()
    await client.close()
    return prompts.map(({ name }) => name)
  }
  expect(await seen('clerk')).toEqual(['greet', 'skills/refunds', 'skills/replies'])
  expect(await seen('other')).toEqual(['greet'])
})

test.each(eras)('resources and templates are read in the era of %s', async (era) => {
  const client = await mcp.connect(key, { era })
  const { resources } = await client.listResources()
  expect(resources).toEqual([{ uri: 'docs://logo', name: 'logo', mimeType: 'image/png' }])
  const { resourceTemplates } = await client.listResourceTemplates()
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
    'crib://calls/{callId}',
    'crib://calls/{callId}/artifact',
    'docs://{name}',
  ])
  const { contents } = await client.readResource({ uri: 'docs://logo' })
  expect(contents).toEqual([{ uri: 'docs://logo', mimeType: 'image/png', blob: 'AQID' }])
  await expect(client.readResource({ uri: 'docs://missing' })).rejects.toMatchObject({
    code: -32602,
    data: { uri: 'docs://missing' },
  })
  await client.close()
})

test('whoever subscribed to an address hears that it changed', async () => {
  const client = await mcp.connect(key, { era: 'older', capabilities: { roots: {} } })
  const told: string[] = []
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    told.push(params.uri)
  })
  await client.subscribeResource({ uri: 'docs://news' })
  await expect
    .poll(async () => {
      await client.readResource({ uri: 'docs://touch' })
      return told
    })
    .toContain('docs://news')
  await client.close()
})
