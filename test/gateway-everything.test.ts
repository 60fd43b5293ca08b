import { createRequire } from 'node:module'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownerOf } from '../src/app/owner.ts'
import type { CallerClient } from '../src/core/kernel/context/caller-client.ts'
import type { JsonValue } from '../src/core/kernel/json.ts'
import { type GatewayCrib, openGatewayCrib, textOf, until } from './setup/gateway-crib.ts'

// The reference server, which has something of everything. Other servers: gateway-servers.long.test.ts.
const { resolve } = createRequire(import.meta.url)
const folder = path.dirname(resolve('@modelcontextprotocol/server-everything/package.json'))

let crib: GatewayCrib
beforeAll(async () => {
  const args = [path.join(folder, 'dist/index.js'), 'stdio']
  crib = await openGatewayCrib({ everything: { command: process.execPath, args } })
  await until(async () => Object.keys(await crib.tools('mcp:everything:')).length > 10, 55_000)
})
afterAll(() => crib?.close())

test('every tool of the reference server is listed, and none is set aside', async () => {
  const states = Object.values(await crib.tools('mcp:everything:'))
  expect(states).toEqual(Array.from({ length: 17 }, () => 'ready'))
})

test('texts, pictures, structured output and links come as they were sent', async () => {
  expect(textOf(await crib.call('mcp:everything:echo', { message: 'hi' }))).toBe('Echo: hi')
  expect(textOf(await crib.call('mcp:everything:get-sum', { a: 2, b: 3 }))).toContain('5')
  const image = await crib.call('mcp:everything:get-tiny-image')
  expect(image.output).toMatchObject({
    $content: [{}, { type: 'image', mimeType: 'image/png' }, {}],
  })
  const weather = await crib.call('mcp:everything:get-structured-content', { location: 'New York' })
  expect(weather).toMatchObject({ status: 'completed', output: { conditions: expect.any(String) } })
  const links = await crib.call('mcp:everything:get-resource-links', { count: 2 })
  expect(JSON.stringify(links.output)).toContain('resource_link')
})

test('a long operation tells how far it is', async () => {
  const told: unknown[] = []
  const onOutput = (output: unknown) => void told.push(output)
  const input = { duration: 1, steps: 4 }
  const { status } = await crib.call('mcp:everything:trigger-long-running-operation', input, {
    onOutput,
  })
  expect(status).toBe('completed')
  expect(told).toContainEqual({ progress: { done: 4, total: 4 } })
})

test('a task of the older protocol is followed to its end', async () => {
  const input = { topic: 'cribs', ambiguous: false }
  const result = await crib.call('mcp:everything:simulate-research-query', input)
  expect(textOf(result)).toContain('cribs')
})

test('elicitation and sampling reach a caller that can answer', async () => {
  const client: CallerClient = {
    abilities: new Set(['elicitation.form', 'sampling', 'roots']),
    async ask(requests) {
      return Object.fromEntries(
        Object.entries(requests).map(([key, { method }]): [string, JsonValue] => [
          key,
          method === 'elicitation/create'
            ? { action: 'accept', content: { name: 'Anna' } }
            : { role: 'assistant', model: 'm', content: { type: 'text', text: 'a sampled word' } },
        ]),
      )
    },
    log: () => undefined,
  }
  const asked = await crib.call('mcp:everything:trigger-elicitation-request', {}, { client })
  expect(textOf(asked)).toContain('Anna')
  const input = { prompt: 'a word', maxTokens: 10 }
  const sampled = await crib.call('mcp:everything:trigger-sampling-request', input, { client })
  expect(textOf(sampled)).toContain('a sampled word')
  const { error } = await crib.call('mcp:everything:trigger-sampling-request', input)
  const why = 'The tool asks its caller (sampling/createMessage), and nobody is there to be asked'
  // The server repeats it, which is no reason to say it twice.
  expect(error).toMatchObject({ code: 'client_unable', message: why })
  expect(error?.fix).toContain('a client that can answer')
})

test('prompts, resources and completion of a server are in the library', async () => {
  const { api } = crib
  const caller = ownerOf()
  const prompts = await api.listPrompts(caller, { server: 'everything' })
  expect(prompts.items.map(({ name }) => name)).toContain('simple-prompt')
  const all = await api.listPrompts(caller, {})
  expect(all.items.map(({ name }) => name)).toContain('mcp:everything:simple-prompt')
  const name = 'mcp:everything:args-prompt'
  const prompt = await api.getPrompt(caller, { name, arguments: { city: 'Oslo' } })
  expect(JSON.stringify(prompt.messages)).toContain('Oslo')
  const without = api.getPrompt(caller, { name, arguments: {} })
  await expect(without).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining('city') as string,
  })
  const unknown = api.getPrompt(caller, { name: 'mcp:everything:nothing', arguments: {} })
  await expect(unknown).rejects.toMatchObject({ code: 'not_found' })
  const { items } = await api.listResources(caller, { server: 'everything' })
  const [first] = items
  const contents = await api.readResource(caller, { uri: first?.uri ?? '' })
  expect(contents).toMatchObject([{ uri: first?.uri }])
  const request = {
    target: { type: 'prompt', name: 'completable-prompt' },
    argument: { name: 'department', value: 'E' },
    server: 'everything',
  } as const
  expect((await api.completeArgument(caller, request)).values).toContain('Engineering')
  await expect(api.readResource(caller, { uri: 'nobody://has/this' })).rejects.toMatchObject({
    code: 'not_found',
  })
})
