import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server'

/** A tool of the fixture server: its schema, and what it does. */
export interface FixtureTool {
  description: string
  inputSchema?: object
  annotations?: object
  call(input: Record<string, unknown>, context: ServerContext): unknown
}

export const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAESsAACJWAAACABAAZGF0YQAAAAA='
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

export const text = (words: string): CallToolResult => ({
  content: [{ type: 'text', text: words }],
})

const image = { type: 'image', data: png, mimeType: 'image/png' } as const

function resource(uri: string, mimeType: string, words: string) {
  return { type: 'resource', resource: { uri, mimeType, text: words } } as const
}

function log(context: ServerContext, data: string): Promise<void> {
  return context.mcpReq.log('info', data)
}

// As text: `then` is a keyword of JSON Schema here, and no promise.
const branches = JSON.parse(
  '{"then":{"required":["phone"]},"else":{"required":["email"]}}',
) as object

/** What the conformance suite calls without being asked anything. */
export const plainTools: Record<string, FixtureTool> = {
  test_simple_text: {
    description: 'Answers with one text.',
    call: () => text('This is a simple text response for testing.'),
  },
  test_image_content: {
    description: 'Answers with a picture.',
    call: () => ({ content: [image] }),
  },
  test_audio_content: {
    description: 'Answers with a sound.',
    call: () => ({ content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }] }),
  },
  test_embedded_resource: {
    description: 'Answers with a resource.',
    call: () => ({
      content: [
        resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
      ],
    }),
  },
  test_multiple_content_types: {
    description: 'Answers with several kinds of content.',
    call: () => ({
      content: [
        { type: 'text', text: 'Multiple content types test:' },
        image,
        resource(
          'test://mixed-content-resource',
          'application/json',
          '{"test":"data","value":123}',
        ),
      ],
    }),
  },
  test_error_handling: {
    description: 'Always fails.',
    call: () => ({
      ...text('This tool intentionally returns an error for testing'),
      isError: true,
    }),
  },
  test_tool_with_logging: {
    description: 'Says three lines while it works.',
    async call(_input, context) {
      await log(context, 'Tool execution started')
      await pause(50)
      await log(context, 'Tool processing data')
      await pause(50)
      await log(context, 'Tool execution completed')
      return text('Tool with logging executed')
    },
  },
  test_logging_tool: {
    description: 'Says one line, to whoever asked for lines.',
    async call(_input, context) {
      await log(context, 'A line')
      return text('Logged')
    },
  },
  test_tool_with_progress: {
    description: 'Reports its progress in three steps.',
    async call(_input, { mcpReq }) {
      const { _meta: meta } = mcpReq
      const progressToken = meta?.progressToken
      for (const progress of [0, 50, 100]) {
        if (progressToken !== undefined) {
          const params = { progressToken, progress, total: 100 }
          await mcpReq.notify({ method: 'notifications/progress', params })
        }
        await pause(50)
      }
      return text('Tool with progress executed')
    },
  },
  json_schema_2020_12_tool: {
    description: 'Tool with JSON Schema 2020-12 features',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      ...branches,
      additionalProperties: false,
    },
    call: (input) => text(JSON.stringify(input)),
  },
  test_x_mcp_header: {
    description: 'Takes an argument that also stands in a header.',
    inputSchema: {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
    },
    call: ({ region }) => text(`Region: ${String(region)}`),
  },
}
