import { z } from 'zod'
import { labelSchema } from '../../core/flow/label-schema.ts'
import { mcpServerSchema, serverNameSchema } from '../../core/gateway/server-spec.ts'
import { roleNames } from '../../core/policy/roles.ts'
import {
  agentSchema,
  levelSchema,
  patternsSchema as patterns,
  profileSchema,
  slugSchema as slug,
} from '../../core/rules/rule-schemas.ts'
import { modelsSchema } from '../../agents/models/models-config.ts'
import { approvalsSchema } from './approvals-schema.ts'
import { namedLimit } from '../../features/limits/schemas.ts'
import { logsSchema } from './logs-schema.ts'
import { mcpDoorSchema } from './mcp-door-schema.ts'
import { gatewaySchema } from '../../features/mcp-servers/config.ts'
import { serverSchema } from './server-schema.ts'
import { signInSchema } from '../../features/sign-ins/config.ts'
import { eachOnce } from './each-once.ts'
import { toolWorkerLimits } from './tool-worker-limits.ts'

/** An agent as configuration declares it: what is kept elsewhere stands beside it. */
const declaredAgent = agentSchema.extend({
  skills: z
    .array(
      z
        .string()
        .regex(
          /^[a-z][a-z0-9-]{0,62}(?:@[0-9a-f]{8,64})?$/,
          'must be the name of a skill, or name@version with at least 8 characters of it',
        ),
    )
    .max(100)
    .default([])
    .describe('Skills it has: name for the newest version at the start, or name@version'),
})

const namedLimits = z
  .array(namedLimit)
  .max(1000)
  .superRefine(eachOnce('limits', 'name'))
  .default([])

const agents = z.array(declaredAgent).superRefine(eachOnce('agents', 'slug')).default([])

const packs = z.record(z.string(), z.boolean()).describe('Packs switched on or off by name')

const tenant = z.strictObject({
  slug: slug.describe('Its name in addresses and on the command line'),
  name: z.string().optional().describe('What people call it'),
  agents: agents.describe('Agents of this tenant'),
  policy: levelSchema.optional().describe('Narrows for everybody in this tenant'),
  packs: packs.default({}),
  limits: namedLimits.describe('How much may be used'),
  skills: z.array(z.string()).default([]).describe('Folders with skills of this tenant'),
  mcpServers: z
    .record(serverNameSchema, mcpServerSchema)
    .default({})
    .describe('MCP servers of this tenant'),
})

/** The one schema of configuration. Everything has a default: with no file, `toolcrib dev` runs. */
export const configSchema = z.strictObject({
  tools: z
    .array(z.string())
    .optional()
    .describe('Folders that are scanned for *.tool.ts; ./tools if it is there'),
  packs: packs.default({}).describe('For every tenant'),
  policy: levelSchema.optional().describe('The global level: narrows for everybody'),
  profiles: z
    .record(z.string(), profileSchema)
    .default({})
    .describe('Profiles of your own, by name'),
  groups: z
    .record(z.string(), patterns)
    .default({})
    .describe('Groups of your own: group:<name> in patterns'),
  providers: z
    .record(z.string(), levelSchema)
    .default({})
    .describe('A level for agents on models of a provider, by its name'),
  agents: agents.describe('Agents of the default tenant'),
  roles: z
    .record(
      slug,
      z.strictObject({
        permissions: z
          .array(z.string().min(1).max(200))
          .max(200)
          .describe('Such as tools.call or billing.*'),
      }),
    )
    .superRefine((roles, context) => {
      for (const name of roleNames.filter((shipped) => Object.hasOwn(roles, shipped))) {
        const message = 'is a shipped role, which stays as it is; choose another name'
        context.addIssue({ code: 'custom', path: [name], message })
      }
    })
    .default({})
    .describe('Roles for members beside the shipped ones, in every tenant'),
  tenants: z
    .array(tenant)
    .superRefine(eachOnce('tenants', 'slug'))
    .default([])
    .describe('Further tenants'),
  skills: z
    .array(z.string())
    .default([])
    .describe('Folders with skills of the default tenant: each a SKILL.md, or folders with one'),
  mcpServers: z
    .record(serverNameSchema, mcpServerSchema)
    .default({})
    .describe('MCP servers whose tools are brought in, for every tenant'),
  toolSearch: z
    .strictObject({
      autoAbove: z
        .int()
        .min(1)
        .max(10_000)
        .default(100)
        .describe('Agents on auto search for tools when they may use more than so many'),
      always: patterns.default([]).describe('Tools that are listed all the same'),
    })
    .prefault({})
    .describe('Where agents have too many tools to list'),
  models: modelsSchema.prefault({}).describe('Models that agents use'),
  gateway: gatewaySchema.prefault({}).describe('What MCP servers may be added, and by whom'),
  storage: z
    .strictObject({
      database: z
        .string()
        .optional()
        .describe('PostgreSQL URL; absent means the embedded store in the data folder'),
      poolSize: z.int().min(2).max(100).default(8).describe('Connections to PostgreSQL'),
    })
    .prefault({})
    .describe('Where records are kept'),
  server: serverSchema.prefault({}).describe('The server: address, limits, proxies'),
  retention: z
    .strictObject({
      days: z
        .number()
        .min(1)
        .max(36_500)
        .optional()
        .describe(
          'Calls that ended, and events, are removed after so many days; kept for ever unless set',
        ),
    })
    .prefault({})
    .describe('How long records are kept'),
  catalogue: z
    .strictObject({
      keepDays: z
        .number()
        .min(0)
        .max(3650)
        .default(30)
        .describe('How long grants and settings of a tool that is gone are kept'),
    })
    .prefault({})
    .describe('What is kept of tools that are gone'),
  limits: z
    .strictObject({
      callDepth: z.int().min(1).max(64).default(16).describe('How deep tools may call tools'),
      artifactBytes: z
        .int()
        .min(65_536)
        .max(1_073_741_824)
        .default(67_108_864)
        .describe('The largest output that is kept'),
      drainMs: z
        .int()
        .min(0)
        .max(600_000)
        .default(10_000)
        .describe('How long a stopping server waits for calls'),
      nodeTimeoutMs: z
        .int()
        .min(1000)
        .max(600_000)
        .default(10_000)
        .describe('When a silent node counts as dead'),
      concurrency: z
        .int()
        .min(1)
        .max(10_000)
        .default(32)
        .describe('How many queued calls run at once on this node'),
      ...toolWorkerLimits,
      tenantConcurrency: z
        .int()
        .min(1)
        .max(10_000)
        .optional()
        .describe('How many queued calls of one tenant run at once, over all nodes'),
      queued: z
        .int()
        .min(1)
        .max(10_000_000)
        .default(100_000)
        .describe('How many calls may wait to be run; one tenant may have four fifths of it'),
      completionBytes: z
        .int()
        .min(1024)
        .max(268_435_456)
        .default(33_554_432)
        .describe('How large the response of a worker outside may be'),
      modelMs: z
        .int()
        .min(1000)
        .max(7_200_000)
        .default(600_000)
        .describe('How long one answer of a model may take in all'),
      modelFirstMs: z
        .int()
        .min(1000)
        .max(7_200_000)
        .default(120_000)
        .describe('How long a provider may take to begin to answer; it is asked twice'),
      modelChunkMs: z
        .int()
        .min(1000)
        .max(7_200_000)
        .default(120_000)
        .describe('How long a model may be silent in the middle of its answer'),
      modelRetries: z
        .int()
        .min(0)
        .max(10)
        .default(3)
        .describe('How often a provider that is busy or broken is asked again'),
      rules: z
        .array(namedLimit)
        .max(1000)
        .default([])
        .describe('How much may be used, in every tenant; each tenant is counted by itself'),
    })
    .prefault({})
    .describe('How much may run, wait and be used'),
  uploads: z
    .strictObject({
      maxBytes: z
        .int()
        .min(1024)
        .max(1_073_741_824)
        .default(52_428_800)
        .describe('The largest file that is taken'),
      keepHours: z
        .number()
        .min(0.01)
        .max(87_600)
        .default(24)
        .describe(
          'How long a file is kept that no call uses; a used one stays as long as its call',
        ),
      tenantBytes: z
        .int()
        .min(1024)
        .max(1_099_511_627_776)
        .default(5_368_709_120)
        .describe('How much one tenant may have kept in all'),
    })
    .prefault({})
    .describe('Files that are handed in for tools'),
  mcp: mcpDoorSchema.prefault({}).describe('What MCP clients may cost, and how long they wait'),
  approvals: approvalsSchema.prefault({}).describe('Who is asked about calls that need a person'),
  logs: logsSchema.prefault({}).describe('What the server writes to stderr'),
  signIn: signInSchema.prefault({}).describe('How people sign in'),
  labels: z
    .record(z.string().max(200), labelSchema)
    .default({})
    .describe('What tools read and affect, by pattern: the data-flow rule asks by it'),
})

/** Configuration as it is used: complete. */
export type Config = z.output<typeof configSchema>
export type AgentConfig = Config['agents'][number]
