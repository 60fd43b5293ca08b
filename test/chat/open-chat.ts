import { DefaultChatTransport, readUIMessageStream, type UIMessage, type UIMessageChunk } from 'ai'
import { afterEach } from 'vitest'
import { defineTool, z } from '../../src/app/index.ts'
import { ownerOf } from '../../src/app/owner.ts'
import { createHttpApp } from '../../src/doors/http/create-http-app.ts'
import { createTestCrib } from '../../src/testing/index.ts'
import { openTestStore } from '../../src/testing/open-test-store.ts'
import { fakeModel, type Script, startFakeModel } from './fake-model.ts'

export const owner = ownerOf()

/** What the tools of these tests have done. */
export function createDoings() {
  const done: unknown[] = []
  const input = z.object({ n: z.number() })
  const tools = [
    defineTool({
      name: 'test.add',
      description: 'Adds one.',
      effect: 'read',
      inputSchema: input,
      execute({ n }) {
        done.push(['add', n])
        return { sum: n + 1 }
      },
    }),
    defineTool({
      name: 'test.pay',
      description: 'Pays.',
      effect: 'destructive',
      approval: 'always',
      inputSchema: input,
      execute({ n }) {
        done.push(['pay', n])
        return { paid: n }
      },
    }),
    defineTool({
      name: 'test.later',
      description: 'Takes its time.',
      effect: 'write',
      execution: 'background',
      inputSchema: input,
      async execute({ n }) {
        await new Promise((resolve) => setTimeout(resolve, 50))
        done.push(['later', n])
        return { late: n }
      },
    }),
    defineTool({
      name: 'test.keep',
      description: 'Keeps a number.',
      effect: 'write',
      inputSchema: z.object({ n: z.number(), fail: z.boolean() }),
      async execute({ n, fail }, { state }) {
        const before = (await state?.get('n')) ?? null
        await state?.set('n', n)
        if (fail) throw new Error('no')
        return { before }
      },
    }),
  ]
  return { done, tools }
}

/** A crib with an agent whose model says what the script says. */
export async function openChat(
  script: Script,
  more: {
    agents?: object[]
    models?: object
    limits?: object
    tools?: readonly object[]
    onWarning?: (message: string) => void
    /** Further configuration. */
    config?: object
  } = {},
) {
  const model = await startFakeModel(script)
  const { done, tools } = createDoings()
  const agent = { slug: 'helper', model: fakeModel, instructions: 'Help.', tools: { allow: ['*'] } }
  const store = await openTestStore()
  const crib = await createTestCrib({
    store,
    ...(more.onWarning && { onWarning: more.onWarning }),
    tools: [...tools, ...((more.tools ?? []) as typeof tools)],
    config: {
      // The definitions of built-in tools would fill the small windows of these models.
      packs: { web: false, file: false, system: false },
      models: { ...model.config.models, ...more.models },
      ...(more.limits && { limits: more.limits }),
      agents: [agent, ...(more.agents ?? [])],
      ...more.config,
    } as never,
  })
  const app = createHttpApp({ api: crib.api, version: '0' })
  const { token } = await crib.api.createKey(owner, { name: 'all', scopes: ['*'] })
  const ask = (path: string, body?: unknown, key = token) =>
    app.fetch(
      new Request(`http://localhost/api/v1${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    )
  const transport = new DefaultChatTransport<UIMessage>({
    api: 'http://localhost/api/v1/agents/helper/chat',
    headers: { authorization: `Bearer ${token}` },
    fetch: async (url, init) => app.fetch(new Request(url, init)),
  })
  return {
    crib,
    store,
    api: crib.api,
    model,
    done,
    app,
    ask,
    token,
    transport,
    /** Says something, or answers, as a chat client does; gives the message that comes of it. */
    async send(chatId: string, messages: UIMessage[]): Promise<UIMessage> {
      const stream = await transport.sendMessages({
        trigger: 'submit-message',
        chatId,
        messageId: undefined,
        messages,
        abortSignal: undefined,
      })
      const last = messages.at(-1)
      return readMessage(stream, last?.role === 'assistant' ? last : undefined)
    },
    async close() {
      await crib.close()
      await store.close()
      await model.close()
    },
  }
}

type Talk = Awaited<ReturnType<typeof openChat>>

/** Opens talks that are closed after the test that opened them. Once a file. */
export function closingChats(): typeof openChat {
  const open: Talk[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((one) => one.close()))
  })
  return async (script, more) => {
    const opened = await openChat(script, more)
    open.push(opened)
    return opened
  }
}

export async function readMessage(
  stream: ReadableStream<UIMessageChunk>,
  message?: UIMessage,
): Promise<UIMessage> {
  let last = message
  for await (const each of readUIMessageStream({
    stream,
    ...(message && { message: structuredClone(message) }),
  }))
    last = each
  if (last === undefined) throw new Error('nothing came')
  return last
}

export function said(id: string, text: string): UIMessage {
  return { id, role: 'user', parts: [{ type: 'text', text }] }
}

/** Parts in short: texts, and calls with how they stand. */
export function shortly({ parts }: UIMessage): unknown[] {
  return parts.flatMap((part): unknown[] => {
    if (part.type === 'text') return [part.text]
    if (!('toolCallId' in part)) return []
    const result =
      part.state === 'output-available'
        ? part.output
        : part.state === 'output-error'
          ? part.errorText
          : undefined
    return [result === undefined ? [part.type, part.state] : [part.type, part.state, result]]
  })
}
