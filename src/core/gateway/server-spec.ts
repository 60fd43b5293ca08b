import { z } from 'zod'

/** Names of MCP servers: they are the middle of `mcp:<server>:<tool>`. */
export const serverNamePattern = /^[a-z0-9][a-z0-9_-]{0,62}$/

export const serverNameSchema = z
  .string()
  .regex(
    serverNamePattern,
    'must be lower case letters, digits, dashes and underscores, at most 63',
  )

/** A value that may be given by name: `secret:<name>` of the tenant's secrets, `env:<NAME>` of this machine. */
const givenValue = z.string().max(4096)

const pattern = z.string().max(200)

/** An MCP server whose tools are brought in, as it is declared, added and stored. */
export const mcpServerSchema = z
  .strictObject({
    title: z.string().max(200).optional().describe('What people read instead of its name'),
    command: z.string().min(1).max(1000).optional().describe('Of a server on stdio: its program'),
    args: z.array(z.string().max(4096)).max(200).default([]).describe('Arguments of the program'),
    env: z
      .record(z.string().max(200), givenValue)
      .default({})
      .describe('Its environment beside PATH and HOME; secret:<name> and env:<NAME> are looked up'),
    cwd: z.string().max(1000).optional().describe('The folder the program runs in'),
    url: z
      .url({ protocol: /^https?$/ })
      .max(2000)
      .optional()
      .describe('Of a server over HTTP: its address'),
    headers: z
      .record(z.string().max(200), givenValue)
      .default({})
      .describe('Sent with every request; secret:<name> and env:<NAME> are looked up'),
    oauth: z
      .strictObject({
        scopes: z
          .array(z.string().max(200))
          .max(50)
          .default([])
          .describe('Scopes that are asked for'),
        clientId: z.string().max(500).optional().describe('Where the client is registered already'),
        clientSecret: givenValue
          .optional()
          .describe('Of a registered client, as secret:<name> or env:<NAME>'),
        perUser: z
          .boolean()
          .default(true)
          .describe('Everybody signs in for themselves; otherwise once for the tenant'),
      })
      .optional()
      .describe('Sign-in to the server by OAuth'),
    allow: z.array(pattern).max(1000).default([]).describe('Of its tools only these; all if empty'),
    deny: z.array(pattern).max(1000).default([]).describe('Of its tools none of these'),
    effects: z
      .record(z.string().max(200), z.enum(['read', 'write', 'destructive']))
      .default({})
      .describe('What its tools do, by name or pattern; it overrides their own hints'),
    trustHints: z
      .array(pattern)
      .max(1000)
      .default([])
      .describe(
        'Tools whose own hints (read-only, idempotent, closed world) are believed; for all others a hint can only make a tool stricter',
      ),
    timeoutMs: z
      .int()
      .min(100)
      .max(86_400_000)
      .default(60_000)
      .describe('How long a call of its tools may take'),
    timeouts: z
      .record(z.string().max(200), z.int().min(100).max(86_400_000))
      .default({})
      .describe('By tool'),
    maxResultBytes: z
      .int()
      .min(1024)
      .max(67_108_864)
      .default(4_194_304)
      .describe('A larger result is refused'),
    maxOutputBytes: z
      .int()
      .min(1024)
      .max(16_777_216)
      .default(51_200)
      .describe('What callers get of a result; the rest is kept as an artifact'),
    idleMs: z
      .int()
      .min(1000)
      .max(86_400_000)
      .default(600_000)
      .describe('A process or connection that nobody uses for so long is stopped'),
    private: z
      .boolean()
      .optional()
      .describe('Its address may be one that is not of the public internet'),
    pin: z
      .boolean()
      .default(true)
      .describe('A tool that has changed is set aside until somebody accepts it'),
    enabled: z.boolean().default(true).describe('False keeps its tools away without forgetting it'),
  })
  .refine(({ command, url }) => (command === undefined) !== (url === undefined), {
    error: 'must have either a command or a url',
  })
  .refine(({ command, oauth }) => command === undefined || oauth === undefined, {
    error: 'signs in by OAuth over HTTP only; give a stdio server its credentials in env',
  })

export type McpServerSpec = z.output<typeof mcpServerSchema>

/** The pack that the tools of a server are in. */
export function serverPack(server: string): string {
  return `mcp-${server}`.slice(0, 128)
}
