import { z } from 'zod'

/** Names of MCP servers, the middle part of `mcp:<server>:<tool>`. */
export const serverNamePattern = /^[a-z0-9][a-z0-9_-]{0,62}$/

export const serverNameSchema = z
  .string()
  .regex(
    serverNamePattern,
    'must be lower case letters, digits, dashes and underscores, at most 63',
  )

/**
 * A value or a reference: `secret:<name>` of the tenant's secrets, `env:<NAME>` of this machine.
 */
const givenValue = z.string().max(4096)

const pattern = z.string().max(200)

/** An MCP server as it is declared, added and stored. */
export const mcpServerSchema = z
  .strictObject({
    title: z.string().max(200).optional().describe('Display name'),
    command: z.string().min(1).max(1000).optional().describe('For a stdio server: its command'),
    args: z.array(z.string().max(4096)).max(200).default([]).describe('Arguments of the program'),
    env: z
      .record(z.string().max(200), givenValue)
      .default({})
      .describe(
        'Its environment in addition to PATH and HOME; secret:<name> and env:<NAME> are resolved',
      ),
    cwd: z.string().max(1000).optional().describe('The working directory of the program'),
    url: z
      .url({ protocol: /^https?$/ })
      .max(2000)
      .optional()
      .describe('For an HTTP server: its address'),
    headers: z
      .record(z.string().max(200), givenValue)
      .default({})
      .describe('Sent with every request; secret:<name> and env:<NAME> are resolved'),
    oauth: z
      .strictObject({
        scopes: z.array(z.string().max(200)).max(50).default([]).describe('Scopes to request'),
        clientId: z.string().max(500).optional().describe('The client id, if already registered'),
        clientSecret: givenValue
          .optional()
          .describe('The secret of a registered client, as secret:<name> or env:<NAME>'),
        perUser: z
          .boolean()
          .default(true)
          .describe('Every person signs in separately; otherwise once for the tenant'),
      })
      .optional()
      .describe('Sign-in to the server with OAuth'),
    allow: z
      .array(pattern)
      .max(1000)
      .default([])
      .describe('Import only these of its tools; all if empty'),
    deny: z.array(pattern).max(1000).default([]).describe('Do not import these of its tools'),
    effects: z
      .record(z.string().max(200), z.enum(['read', 'write', 'destructive']))
      .default({})
      .describe('The effect of its tools, by name or pattern; overrides their own hints'),
    trustHints: z
      .array(pattern)
      .max(1000)
      .default([])
      .describe(
        'Tools whose own hints (read-only, idempotent, closed world) are trusted; for all others a hint can only make a tool stricter',
      ),
    previewWith: z
      .record(
        z.string().max(200),
        z.record(z.string().max(200), z.union([z.string().max(4096), z.number(), z.boolean()])),
      )
      .optional()
      .describe(
        'For tools that can try a call: the input that makes them do so, such as { "dryRun": true }, by tool or pattern; it becomes their preview',
      ),
    timeoutMs: z
      .int()
      .min(100)
      .max(86_400_000)
      .default(60_000)
      .describe('The timeout of calls to its tools'),
    timeouts: z
      .record(z.string().max(200), z.int().min(100).max(86_400_000))
      .default({})
      .describe('By tool'),
    maxResultBytes: z
      .int()
      .min(1024)
      .max(67_108_864)
      .default(4_194_304)
      .describe('Larger results are refused'),
    maxOutputBytes: z
      .int()
      .min(1024)
      .max(16_777_216)
      .default(51_200)
      .describe('The maximum size of a result for callers; the rest is stored as an artifact'),
    idleMs: z
      .int()
      .min(1000)
      .max(86_400_000)
      .default(600_000)
      .describe('An idle process or connection is stopped after this time'),
    private: z.boolean().optional().describe('Allow an address that is not on the public internet'),
    pin: z.boolean().default(true).describe('Quarantine a changed tool until someone accepts it'),
    enabled: z.boolean().default(true).describe('False hides its tools but keeps the server'),
  })
  .refine(({ command, url }) => (command === undefined) !== (url === undefined), {
    error: 'must have either a command or a url',
  })
  .refine(({ command, oauth }) => command === undefined || oauth === undefined, {
    error: 'supports OAuth over HTTP only; give a stdio server its credentials in env',
  })

export type McpServerSpec = z.output<typeof mcpServerSchema>

/** The pack that contains the tools of a server. */
export function serverPack(server: string): string {
  return `mcp-${server}`.slice(0, 128)
}
