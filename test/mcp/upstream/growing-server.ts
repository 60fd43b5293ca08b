import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

// A program for tests: a server on stdio, in whichever era it is asked in, that learns a tool and
// changes a resource when it is told to, and says so.
let note = 'first'

serveStdio(() => {
  const server = new McpServer(
    { name: 'growing', version: '1.0.0' },
    { capabilities: { resources: { subscribe: true } } },
  )
  const inputSchema = z.object({})
  const annotations = { readOnlyHint: true }
  const said = (text: string) => ({ content: [{ type: 'text' as const, text }] })
  server.registerTool('pid', { inputSchema, annotations }, () => said(String(process.pid)))
  server.registerTool('learn', { inputSchema }, () => {
    // Tells of it by itself.
    server.registerTool('learned', { inputSchema, annotations }, () => said('as learned'))
    return said('learned')
  })
  server.registerTool('write', { inputSchema: z.object({ text: z.string() }) }, async (input) => {
    note = input.text
    await server.server.sendResourceUpdated({ uri: 'note://today' })
    return said('written')
  })
  server.registerResource('today', 'note://today', {}, () => ({
    contents: [{ uri: 'note://today', text: note }],
  }))
  return server
})
