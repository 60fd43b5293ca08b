import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { openCrib, type OpenCrib } from '../src/app/open-crib.ts'
import { defineTool } from '../src/core/define-tool.ts'
import { createHttpApp, type HttpApp } from '../src/doors/http/create-http-app.ts'
import { createTempFolder } from '../src/store/contract/temp-store.ts'
import { openTestStore } from '../src/testing/open-test-store.ts'
import { type ApiDocument, toSample } from './isolation/sample-request.ts'

/** Names that every plain object answers to, though nobody has put them there. */
const oddNames = ['constructor', '__proto__', 'toString', 'hasOwnProperty'] as const

let crib: OpenCrib
let app: HttpApp
let key: string

let folder: Awaited<ReturnType<typeof createTempFolder>>

beforeAll(async () => {
  folder = await createTempFolder()
  crib = await openCrib({
    cwd: '/',
    data: folder.path,
    env: {},
    store: await openTestStore(),
    config: {
      tools: [],
      providers: { demo: { deny: ['none.*'] } },
      agents: [{ slug: 'plain', model: 'demo', tools: { allow: ['*'] } }],
    },
    tools: [
      defineTool({
        name: 'constructor',
        description: 'A tool with a name that every object knows.',
        effect: 'read',
        inputSchema: z.object({ valueOf: z.string().nullable() }),
        execute: (input) => input,
      }),
    ],
    onWarning: () => undefined,
  })
  app = createHttpApp({ api: crib.api, version: 'test' })
  const made = await crib.store.keys.create({ tenant: 'default', name: 'owner', scopes: ['*'] })
  key = made.token
})
afterAll(async () => {
  await crib.close()
  await crib.store.close()
  await folder.remove()
})

async function ask(method: string, path: string, body?: unknown) {
  const response = await app.request(path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: response.status, text: await response.text(), of: `${method} ${path}` }
}

/** What an answer must not be: our own fault. */
function isFault({ status, text }: { status: number; text: string }): boolean {
  return status === 500 || text.includes('"code":"internal"') || text.includes('"tool_crashed"')
}

test.each(oddNames)(
  'an agent whose model is called %s is found wanting, not a fault',
  async (name) => {
    const models = [name, `${name}/x`, `openai-compatible/${name}/x`]
    const answers = []
    for (const [index, model] of models.entries()) {
      const slug = `odd-${name.toLowerCase().replaceAll('_', '')}-${index}`
      const settings = `{"${name}":{"needsApproval":true}}`
      const agent = `{"slug":"${slug}","model":"${model}","tools":{"allow":["*","${name}"]},"settings":${settings},"hooks":{"confirm":["${name}"]}}`
      answers.push(
        await ask('POST', '/api/v1/agents', agent),
        await ask('POST', '/api/v1/policies/simulate', {}),
        await ask('GET', `/api/v1/explain?agent=${slug}`),
        await ask('GET', `/api/v1/tools?agent=${slug}`),
        await ask('POST', '/api/v1/tools/constructor/calls', { input: {}, agent: slug }),
        await ask('POST', `/api/v1/agents/${slug}/runs`, { message: 'run constructor' }),
      )
    }
    expect(answers.filter(isFault)).toEqual([])
    expect(answers.some(({ status }) => status === 200)).toBe(true)
  },
)

test('the model may ask for a tool of any name', async () => {
  for (const name of oddNames) {
    const text = `run ${name} with valueOf=1`
    const parts = [
      { type: 'text', text },
      { type: 'file', mediaType: name, url: 'data:,x' },
    ]
    const message = { id: `m-${name}`, role: 'user', parts }
    const answers = [
      await ask('POST', '/api/v1/agents/plain/chat', { message }),
      await ask('POST', '/api/v1/agents/plain/chat', { message: text }),
    ]
    expect(answers.filter(isFault)).toEqual([])
  }
})

test('whatever is called like a part of every object, in any place of any request, is no fault', async () => {
  const document = JSON.parse((await ask('GET', '/openapi.json')).text) as ApiDocument
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const wishes = oddNames.flatMap((name) =>
    operations.flatMap((one) => [true, false].map((isFull) => ({ ...one, name, isFull }))),
  )
  const faults: unknown[] = []
  for (const wish of wishes) {
    const { path, body } = toSample(document, wish)
    const answer = await ask(wish.method.toUpperCase(), path, body)
    if (isFault(answer)) faults.push({ ...answer, body })
  }
  expect(faults).toEqual([])
  expect(wishes.length).toBeGreaterThan(800)
})
