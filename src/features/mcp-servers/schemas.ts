import { z } from 'zod'
import type { McpServerSpec } from '../../core/gateway/server-spec.ts'
import type { ServerTool } from '../../core/gateway/tool-pin.ts'
import { principal, shortText, time } from '../../core/operations/fields.ts'
import {
  definitionDifferences,
  reviewFields,
  reviewProblem,
  sourcedToolState,
} from '../../core/operations/review-fields.ts'

const named = z.record(z.string(), z.string())
const patterns = z.array(z.string())
const wholeMs = z.int().min(100).max(86_400_000)

const oauthFields = {
  scopes: z.array(z.string()).optional(),
  clientId: z.string().optional(),
  clientSecret: z.string().optional().meta({ description: '`secret:<name>`' }),
  perUser: z.boolean().optional(),
}
const signsIn = { description: 'People sign in to it by OAuth' }

/** The types of the fields; `checkServer` holds them to their bounds and to each other. */
const specFields = {
  title: z.string().max(200),
  command: z.string().meta({ description: 'For a stdio server: its command' }),
  args: z.array(z.string()),
  env: named.meta({ description: 'Its environment; `secret:<name>` is replaced by the secret' }),
  cwd: z.string(),
  url: z.string().meta({ description: 'For an HTTP server: its address' }),
  headers: named.meta({
    description: 'Sent with every request; `secret:<name>` is replaced by the secret',
  }),
  oauth: z.strictObject(oauthFields).meta(signsIn),
  allow: patterns.meta({ description: 'Import only these of its tools' }),
  deny: patterns,
  effects: z.record(z.string(), z.enum(['read', 'write', 'destructive'])).meta({
    description: 'The effect of its tools, by name or pattern. Overrides their own hints.',
  }),
  trustHints: patterns.meta({
    description:
      'Tools whose own hints (`readOnlyHint`, `idempotentHint`, `openWorldHint`) are trusted; `*` for all. For others a hint can only make a tool stricter.',
  }),
  previewWith: z
    .record(z.string(), z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])))
    .meta({
      description:
        'The input with which a tool only tries a call, such as `{ "dryRun": true }`, by tool or pattern: it becomes its preview',
    }),
  timeoutMs: wholeMs,
  timeouts: z.record(z.string(), wholeMs).meta({ description: 'By tool' }),
  maxResultBytes: z.int().meta({ description: 'Larger results are refused' }),
  maxOutputBytes: z.int().meta({
    description: 'The maximum size of a result for callers; the rest is stored as an artifact',
  }),
  idleMs: z.int(),
  private: z.boolean().meta({ description: 'Allow an address that is not on the public internet' }),
  pin: z.boolean().meta({ description: 'Quarantine a changed tool until someone accepts it' }),
  enabled: z.boolean(),
} satisfies Record<keyof McpServerSpec, z.ZodType>

/** The settings of a server; one of `command` and `url`. */
const mcpServerSpec = z.strictObject(specFields).partial().meta({
  id: 'McpServerSpec',
  description:
    'The connection of an MCP server: `url` (and `headers`, `oauth`) or `command` (and `args`, `env`, `cwd`). Secrets are referenced by name: `secret:<name>`.',
})

export const mcpServerRequest = mcpServerSpec
  .extend({ name: shortText('Its name') })
  .meta({ id: 'McpServerRequest' })

type SpecFields = z.output<typeof mcpServerSpec>
type McpServerChange = { [name in keyof SpecFields]: SpecFields[name] | null }

/** Omitted fields are unchanged. */
export const mcpServerChange = z
  .strictObject(
    Object.fromEntries(
      Object.entries(specFields).map(([name, field]) => [name, field.nullable().optional()]),
    ),
  )
  .meta({ id: 'McpServerChange' }) as unknown as z.ZodType<McpServerChange, McpServerChange>

export const testRequest = z
  .strictObject({ server: mcpServerSpec.optional() })
  .meta({ id: 'McpServerTestRequest' })

export const refreshRequest = z
  .strictObject({ restart: z.boolean().optional() })
  .meta({ id: 'McpServerRefreshRequest' })

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
    name: z.string().meta({ description: 'The server’s name for it' }),
    tool: z.string().optional().meta({ description: 'Its name here: `mcp:<server>:<tool>`' }),
    description: z.string().optional().meta({ description: 'The beginning of it' }),
    effect: z
      .enum(['read', 'write', 'destructive'])
      .meta({ description: 'The effect used for decisions' }),
    effectBy: z.enum(['operator', 'hint', 'default']).meta({
      description:
        'The source of the effect: an operator (`effects`), its own hint, or neither, which makes it `write`',
    }),
    hints: z
      .object({
        readOnly: z.boolean().optional(),
        destructive: z.boolean().optional(),
        idempotent: z.boolean().optional(),
        openWorld: z.boolean().optional(),
      })
      .meta({ description: 'Its own hints. Trusted only with `hintsTrusted`.' }),
    hintsTrusted: z.boolean().meta({ description: 'An operator trusts its hints (`trustHints`)' }),
    state: sourcedToolState,
    reason: z.string().optional().meta({ description: 'Why it is not in use' }),
    hash: z
      .string()
      .optional()
      .meta({ description: 'The hash of everything a model sees of the tool' }),
    differences: definitionDifferences,
    findings: z.array(
      z.object({ kind: z.enum(['hidden', 'instruction']), path: z.string(), message: z.string() }),
    ),
  })
  .meta({ id: 'McpTool' })

/** Reviews of tools. */
export const mcpReview = reviewFields({
  one: 'tool',
  tool: z.string().min(1).max(1000).meta({ description: 'The tool, as the server calls it' }),
  id: 'McpTool',
})

/** A server with its status. */
export const mcpServer = z
  .object({
    ...z.object({ ...specFields, oauth: z.object(oauthFields).meta(signsIn) }).partial().shape,
    name: z.string(),
    transport: z.enum(['stdio', 'http', 'unknown']),
    isDeclared: z.boolean().meta({ description: 'Configuration declares it' }),
    isForEveryone: z.boolean().meta({ description: 'Every tenant has it' }),
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
    toolCounts: z.object({
      ready: z.int(),
      quarantined: z.int(),
      leftOut: z.int().meta({ description: 'By its settings' }),
      beyond: z.int().optional().meta({
        description: 'At least this many tools exceed the import limit of one server',
      }),
    }),
    protocol: protocol.optional(),
    about: about.optional(),
    listedAt: time.optional(),
    updatedAt: time.optional(),
    updatedBy: principal.optional(),
  })
  .meta({ id: 'McpServer' })
export type McpServer = z.output<typeof mcpServer>

/** The result of testing a server. */
export const mcpServerTest = z
  .object({
    ok: z.boolean(),
    durationMs: z.int(),
    protocol: protocol.optional(),
    about: about.optional(),
    tools: z.array(mcpTool),
    isLive: z.literal(true).optional().meta({
      description: 'The process that serves calls was tested: no second process was started',
    }),
    problem: reviewProblem.optional().meta({ description: 'The problem, and the fix' }),
    errorOutput: z.string().optional().meta({ description: 'What a program wrote last' }),
  })
  .meta({ id: 'McpServerTest' })
export type McpServerTest = z.output<typeof mcpServerTest>

/** Somebody's sign-in to a server. */
export const mcpConnection = z
  .object({
    subject: z.string().optional().meta({ description: 'Absent for the tenant as a whole' }),
    isMine: z.boolean(),
    issuer: z.string(),
    connectedAt: time,
    updatedAt: time,
  })
  .meta({ id: 'McpConnection' })
export type McpConnection = z.output<typeof mcpConnection>

/** Where to sign in; works once, for some minutes. */
export const mcpSignIn = z.object({ url: z.string(), expiresAt: time }).meta({ id: 'McpSignIn' })
