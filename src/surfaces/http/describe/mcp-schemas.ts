import { z } from '@hono/zod-openapi'
import type { McpConnection, McpServerTest } from '../../../core/gateway/mcp-servers-api.ts'
import { mcpServerSchema } from '../../../core/gateway/server-spec.ts'
import type { ServerTool } from '../../../core/gateway/tool-pin.ts'
import { principal, time } from './schemas.ts'

const { shape } = mcpServerSchema

/** What a server is made from; one of `command` and `url`. */
export const mcpServerFields = z.object(shape).partial().openapi('McpServerSpec', {
  description:
    'How an MCP server is reached: `url` (and `headers`, `oauth`) or `command` (and `args`, `env`, `cwd`). Secrets stand in it by name: `secret:<name>`.',
})

const protocol = z.object({ version: z.string(), era: z.enum(['modern', 'legacy']) })
const about = z.object({
  name: z.string().optional(),
  version: z.string().optional(),
  title: z.string().optional(),
  instructions: z.string().optional(),
})

/** One tool of a server, with why it is not in use. */
export const mcpTool: z.ZodType<ServerTool> = z
  .object({
    name: z.string().openapi({ description: 'As the server calls it' }),
    tool: z.string().optional().openapi({ description: 'Its name here: `mcp:<server>:<tool>`' }),
    state: z.enum(['ready', 'quarantined', 'left out']),
    reason: z.string().optional().openapi({ description: 'Why it is not in use' }),
    hash: z.string().optional().openapi({ description: 'Of all that a model sees of it' }),
    differences: z
      .array(
        z.object({ path: z.string(), before: z.json().optional(), after: z.json().optional() }),
      )
      .optional()
      .openapi({ description: 'What has changed since it was accepted' }),
    findings: z.array(
      z.object({ kind: z.enum(['hidden', 'instruction']), path: z.string(), message: z.string() }),
    ),
  })
  .openapi('McpTool')

/** A server with how it fares. */
export const mcpServer = z
  .object({
    ...z.object(shape).partial().shape,
    name: z.string(),
    transport: z.enum(['stdio', 'http', 'unknown']),
    isDeclared: z.boolean().openapi({ description: 'Configuration declares it' }),
    isForEveryone: z.boolean().openapi({ description: 'Every tenant has it' }),
    state: z.enum([
      'connecting',
      'connected',
      'idle',
      'down',
      'unauthorized',
      'disabled',
      'closed',
    ]),
    reason: z.string().optional(),
    fix: z.string().optional(),
    toolCounts: z.object({ ready: z.int(), quarantined: z.int(), leftOut: z.int() }),
    protocol: protocol.optional(),
    about: about.optional(),
    listedAt: time.optional(),
    updatedAt: time.optional(),
    updatedBy: principal.optional(),
  })
  .openapi('McpServer')

/** What came of trying a server out. */
export const mcpServerTest: z.ZodType<McpServerTest> = z
  .object({
    ok: z.boolean(),
    durationMs: z.int(),
    protocol: protocol.optional(),
    about: about.optional(),
    tools: z.array(mcpTool),
    problem: z
      .object({ code: z.string(), message: z.string(), fix: z.string().optional() })
      .optional()
      .openapi({ description: 'What is wrong, and the way out' }),
    errorOutput: z.string().optional().openapi({ description: 'What a program wrote last' }),
  })
  .openapi('McpServerTest')

/** Somebody's sign-in to a server. */
export const mcpConnection: z.ZodType<McpConnection> = z
  .object({
    subject: z.string().optional().openapi({ description: 'Absent for the tenant as a whole' }),
    isMine: z.boolean(),
    issuer: z.string(),
    connectedAt: time,
    updatedAt: time,
  })
  .openapi('McpConnection')
