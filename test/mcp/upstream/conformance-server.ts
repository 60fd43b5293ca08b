import { inputRequired, Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { askingTools, form } from './asking-tools.ts'
import { plainTools, png, text, type FixtureTool } from './plain-tools.ts'

/**
 * The server that the conformance suite reaches through our gateway: the official SDK on stdio, with
 * all that the suite expects of a server, in both eras.
 */
const passing = { tool: false, prompt: false }

serveStdio(() => {
  const server = new Server(
    { name: 'conformance', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        completions: {},
        logging: {},
      },
    },
  )
  const tools: Record<string, FixtureTool> = {
    ...plainTools,
    ...askingTools,
    test_trigger_tool_change: {
      description: 'Adds a tool, or takes it away again.',
      async call() {
        passing.tool = !passing.tool
        await server.sendToolListChanged()
        return text('changed')
      },
    },
    test_trigger_prompt_change: {
      description: 'Adds a prompt, or takes it away again.',
      async call() {
        passing.prompt = !passing.prompt
        await server.sendPromptListChanged()
        return text('changed')
      },
    },
  }
  const there = (): Record<string, FixtureTool> => ({
    ...tools,
    ...(passing.tool && {
      test_passing: { description: 'Comes and goes.', call: () => text('!') },
    }),
  })
  server.setRequestHandler('tools/list', () => ({
    tools: Object.entries(there()).map(([name, { description, inputSchema }]) => ({
      name,
      description,
      inputSchema: (inputSchema ?? { type: 'object', properties: {} }) as { type: 'object' },
    })),
  }))
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = there()[params.name]
    if (tool === undefined) throw new Error(`There is no ${params.name}`)
    return (await tool.call(params.arguments ?? {}, context)) as ReturnType<typeof text>
  })
  addToLibrary(server)
  return server
})

const prompts = [
  { name: 'test_simple_prompt', description: 'A prompt without arguments' },
  {
    name: 'test_prompt_with_arguments',
    description: 'A prompt with two arguments',
    arguments: [
      { name: 'arg1', description: 'First test argument', required: true },
      { name: 'arg2', description: 'Second test argument', required: true },
    ],
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'A prompt with a resource in it',
    arguments: [{ name: 'resourceUri', description: 'What to embed', required: true }],
  },
  { name: 'test_prompt_with_image', description: 'A prompt with a picture in it' },
  { name: 'test_input_required_result_prompt', description: 'A prompt that asks' },
]

const say = (words: string) => ({
  role: 'user' as const,
  content: { type: 'text' as const, text: words },
})

function addToLibrary(server: Server): void {
  server.setRequestHandler('prompts/list', () => ({
    prompts: [
      ...prompts,
      ...(passing.prompt ? [{ name: 'test_passing', description: 'Comes and goes' }] : []),
    ],
  }))
  server.setRequestHandler('prompts/get', ({ params }, { mcpReq }) => {
    const given = params.arguments ?? {}
    switch (params.name) {
      case 'test_simple_prompt':
        return { messages: [say('This is a simple prompt for testing.')] }
      case 'test_prompt_with_arguments': {
        const { arg1, arg2 } = given
        return { messages: [say(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }
      }
      case 'test_prompt_with_embedded_resource': {
        const resource = {
          uri: given['resourceUri'] ?? '',
          mimeType: 'text/plain',
          text: 'Embedded resource content for testing.',
        }
        const content = { type: 'resource' as const, resource }
        return {
          messages: [
            { role: 'user' as const, content },
            say('Please process the embedded resource above.'),
          ],
        }
      }
      case 'test_prompt_with_image': {
        const content = { type: 'image' as const, data: png, mimeType: 'image/png' }
        return {
          messages: [{ role: 'user' as const, content }, say('Please analyze the image above.')],
        }
      }
      case 'test_input_required_result_prompt': {
        const answer = mcpReq.inputResponses?.['user_context'] as
          | { content?: { context?: string } }
          | undefined
        if (answer !== undefined) {
          return { messages: [say(`Use this context: ${answer.content?.context}`)] }
        }
        const context = { context: { type: 'string' } }
        const asked = form('What context should the prompt use?', context, ['context'])
        return inputRequired({ inputRequests: { user_context: asked } })
      }
      default:
        throw new Error(`There is no prompt ${params.name}`)
    }
  })
  server.setRequestHandler('completion/complete', ({ params }) => {
    const { value } = params.argument
    const values = ['paris', 'park', 'party'].filter((word) => word.startsWith(value))
    return { completion: { values, total: values.length, hasMore: false } }
  })
  addResources(server)
}

function addResources(server: Server): void {
  server.setRequestHandler('resources/list', () => ({
    resources: [
      { uri: 'test://static-text', name: 'Static text', mimeType: 'text/plain' },
      { uri: 'test://static-binary', name: 'Static binary', mimeType: 'image/png' },
      { uri: 'test://watched-resource', name: 'Watched', mimeType: 'text/plain' },
    ],
  }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [
      { uriTemplate: 'test://template/{id}/data', name: 'Template', mimeType: 'application/json' },
    ],
  }))
  server.setRequestHandler('resources/subscribe', () => ({}))
  server.setRequestHandler('resources/unsubscribe', () => ({}))
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
    if (uri === 'test://static-text') {
      const words = 'This is the content of the static text resource.'
      return { contents: [{ uri, mimeType: 'text/plain', text: words }] }
    }
    if (uri === 'test://static-binary') {
      return { contents: [{ uri, mimeType: 'image/png', blob: png }] }
    }
    if (uri === 'test://watched-resource') {
      return { contents: [{ uri, mimeType: 'text/plain', text: 'What stands here may change' }] }
    }
    if (id !== undefined) {
      const words = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
      return { contents: [{ uri, mimeType: 'application/json', text: words }] }
    }
    throw Object.assign(new Error(`There is no resource ${uri}`), { code: -32_602 })
  })
}
