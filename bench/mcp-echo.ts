/** A server on stdio with one tool, for what a hop through a gateway costs. */
import { Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { addNumbers } from './fixtures.ts'

serveStdio(() => {
  const server = new Server({ name: 'echo', version: '1' }, { capabilities: { tools: {} } })
  const number = { type: 'number' }
  const properties = { a: number, b: number, label: { type: ['string', 'null'] } }
  server.setRequestHandler('tools/list', () => ({
    tools: [
      {
        name: 'bench_add',
        description: 'Adds two numbers.',
        inputSchema: { type: 'object', properties },
        annotations: { readOnlyHint: true },
      },
    ],
  }))
  server.setRequestHandler('tools/call', ({ params }) => {
    const sum = addNumbers(params.arguments as unknown as Parameters<typeof addNumbers>[0])
    return { content: [{ type: 'text', text: JSON.stringify(sum) }] }
  })
  return server
})
