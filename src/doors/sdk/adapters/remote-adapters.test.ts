import Anthropic from '@anthropic-ai/sdk'
import { type StructuredToolInterface, tool as langChainTool } from '@langchain/core/tools'
import { createTool } from '@mastra/core/tools'
import { RunContext, tool as agentsTool } from '@openai/agents'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Crib } from '../../../app/crib.ts'
import { ownerOf } from '../../../app/owner.ts'
import { defineTool } from '../../../core/define-tool.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { ToolPort } from '../../../core/offer/tool-port.ts'
import { createHttpApp } from '../../http/create-http-app.ts'
import { type HttpServer, serveHttp } from '../../http/serve-http.ts'
import { createTestCrib } from '../../../testing/create-test-crib.ts'
import { connectCrib } from '../connect-crib.ts'
import { toAnthropic } from './to-anthropic.ts'
import { toLangChain } from './to-langchain.ts'
import { toMastra } from './to-mastra.ts'
import { toOpenAIAgents } from './to-openai-agents.ts'
import { toOpenAI, toOpenAIChat } from './to-openai.ts'

const ran: string[] = []
const owner = ownerOf()
const policy = { kind: 'policy', name: 'tenant' } as const
let crib: Crib
let server: HttpServer
let key: string

beforeAll(async () => {
  const note = (name: string, write: (text: string) => object) =>
    defineTool({
      name,
      description: 'Does something with a note.',
      effect: 'write',
      inputSchema: z.object({ text: z.string() }),
      execute: ({ text }) => {
        ran.push(name)
        return write(text)
      },
    })
  const full = () => {
    throw new ToolError('conflict', 'The book is full')
  }
  const written = (text: string) => ({ written: text })
  crib = await createTestCrib({
    tools: [note('note.add', written), note('note.fail', full), note('note.remove', written)],
  })
  key = (await crib.api.createKey(owner, { name: 'agent', scopes: ['tools.call'] })).token
  const app = createHttpApp({ api: crib.api, version: '0', onFault: () => undefined })
  server = await serveHttp(app, { port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  await server.close()
  await crib.close()
})
beforeEach(() => void (ran.length = 0))

/** The tools in the form of an SDK, and what its model would be sent about a call. */
interface Held {
  names: string[]
  call(name: string, input: object): Promise<string>
}

/** The packages' own clients, with a scripted model. */
const saying = (answer: object) => ({ apiKey: 'none', fetch: async () => Response.json(answer) })

const adapters: Record<string, (port: ToolPort) => Promise<Held>> = {
  toOpenAI: async (port) => {
    const { tools, run } = await toOpenAI(port)
    return {
      names: tools.map(({ name }) => name),
      async call(name, input) {
        const called = { type: 'function_call', name, call_id: 'c1', arguments: json(input) }
        const client = new OpenAI(saying({ object: 'response', output: [called] }))
        const response = await client.responses.create({ model: 'played', input: 'go', tools })
        return json((await run(response)).items)
      },
    }
  },
  toOpenAIChat: async (port) => {
    const { tools, run } = await toOpenAIChat(port)
    return {
      names: tools.map((tool) => tool.function.name),
      async call(name, input) {
        const called = { id: 'c1', type: 'function', function: { name, arguments: json(input) } }
        const message = { role: 'assistant', content: null, tool_calls: [called] }
        const client = new OpenAI(saying({ choices: [{ index: 0, message }] }))
        const { choices } = await client.chat.completions.create({
          model: 'played',
          messages: [{ role: 'user', content: 'go' }],
          tools,
        })
        return json((await run(choices[0]?.message ?? {})).items)
      },
    }
  },
  toAnthropic: async (port) => {
    const { tools, run } = await toAnthropic(port)
    return {
      names: tools.map(({ name }) => name),
      async call(name, input) {
        const content = [{ type: 'tool_use', id: 'c1', name, input }]
        const client = new Anthropic(saying({ type: 'message', role: 'assistant', content }))
        const message = await client.messages.create({
          model: 'played',
          max_tokens: 9,
          messages: [{ role: 'user', content: 'go' }],
          tools,
        })
        return json((await run(message)).items)
      },
    }
  },
  toOpenAIAgents: async (port) => {
    const { tools } = await toOpenAIAgents(port, { tool: agentsTool })
    return {
      names: tools.map(({ name }) => name),
      call: (name, input) => named(tools, name).invoke(new RunContext(), json(input)),
    }
  },
  toLangChain: async (port) => {
    const made = await toLangChain(port, { tool: langChainTool })
    const tools: StructuredToolInterface[] = made.tools
    return {
      names: tools.map(({ name }) => name),
      call: async (name, input) =>
        json(await named(tools, name).invoke({ type: 'tool_call', id: 'c1', name, args: input })),
    }
  },
  toMastra: async (port) => {
    const { tools } = await toMastra(port, { createTool })
    return {
      names: Object.keys(tools),
      // It passes the message of a thrown error to its model.
      call: (name, input) =>
        Promise.resolve(tools[name]?.execute?.(input, {} as never)).then(
          json,
          (error: Error) => error.message,
        ),
    }
  },
}

function json(value: unknown): string {
  return JSON.stringify(value)
}

function named<T extends { name: string }>(tools: readonly T[], name: string): T {
  const tool = tools.find((one) => one.name === name)
  if (tool === undefined) throw new Error(`There is no tool ${name}`)
  return tool
}

describe.each(Object.entries(adapters))('%s of a crib in another process', (sessionId, hold) => {
  const connect = () => hold(connectCrib({ url: server.url, key }).port({ sessionId }))

  test('success, failure and refusal are reported, and recorded there', async () => {
    const held = await connect()
    expect(held.names.filter((name) => name.startsWith('note')).toSorted()).toEqual([
      'note_add',
      'note_fail',
      'note_remove',
    ])
    expect(await held.call('note_add', { text: 'milk' })).toMatch(/written\W+milk/)
    expect(await held.call('note_fail', { text: 'milk' })).toContain('The book is full')
    await crib.api.writePolicyDocument(owner, { ...policy, body: { deny: ['note.remove'] } })
    const refused = await held.call('note_remove', { text: 'milk' })
    const { names } = await connect()
    await crib.api.deletePolicyDocument(owner, policy)
    expect(names).not.toContain('note_remove')
    expect(ran).toEqual(['note.add', 'note.fail'])

    const { items } = await crib.api.listCalls(owner, { sessionId, limit: 10 })
    expect(items.map(({ tool, status }) => `${tool} ${status}`).toSorted()).toEqual([
      'note.add completed',
      'note.fail failed',
    ])
    // A hidden tool makes no call, but the attempt and the reason for its refusal are recorded.
    const [refusal = refused] = /ref_[0-9a-f]{32}/.exec(refused) ?? []
    expect(await crib.api.explainDecision(owner, { id: refusal })).toMatchObject({
      kind: 'refusal',
      tool: 'note.remove',
      principal: { kind: 'key' },
      sessionId,
    })
  })
})
