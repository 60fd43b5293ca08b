import { z } from 'zod'
import { mcpServerSchema, serverNameSchema } from '../../core/gateway/server-spec.ts'
import { levelSchema, slugSchema as slug } from '../../core/rules/rule-schemas.ts'
import { agentsSchema } from '../../features/agents/config.ts'
import { apisSchema } from '../../features/apis/config.ts'
import { approvalsSchema } from '../../features/approvals/config.ts'
import { retentionSchema } from '../../features/calls/config.ts'
import { labelsSchema } from '../../features/data-flow/config.ts'
import { limitRulesSchema, tenantLimitsSchema } from '../../features/limits/config.ts'
import { networkSchema, tenantNetworkSchema } from '../../features/network/config.ts'
import { rolesSchema } from '../../features/people/config.ts'
import { groupsSchema, profilesSchema, providersSchema } from '../../features/policies/config.ts'
import { skillFolders } from '../../features/skills/config.ts'
import { authoringSchema } from '../../features/authoring/config.ts'
import { catalogueSchema, packsSchema, toolSearchSchema } from '../../features/tools/config.ts'
import { workspacesSchema } from '../../features/workspaces/config.ts'
import { uploadsSchema } from '../../features/uploads/config.ts'
import { codeSchema } from '../../features/code/config.ts'
import { sandboxSchema } from '../../features/sandbox/config.ts'
import { modelsSchema } from '../../agents/models/models-config.ts'
import { logsSchema } from './logs-schema.ts'
import { mcpDoorSchema } from './mcp-door-schema.ts'
import { gatewaySchema } from '../../features/mcp-servers/config.ts'
import { serverSchema } from './server-schema.ts'
import { signInSchema } from '../../features/sign-ins/config.ts'
import { eachOnce } from '../../core/schema/each-once.ts'
import { toolWorkerLimits } from './tool-worker-limits.ts'

const tenant = z.strictObject({
  slug: slug.describe('Name in addresses and on the command line'),
  name: z.string().optional().describe('Display name'),
  agents: agentsSchema.describe('Agents of this tenant'),
  policy: levelSchema.optional().describe('Narrows access for everybody in this tenant'),
  packs: packsSchema.default({}),
  limits: tenantLimitsSchema.describe('Usage limits'),
  network: tenantNetworkSchema.describe('Rules about the hosts that tools of this tenant reach'),
  skills: skillFolders.describe('Folders with skills of this tenant'),
  mcpServers: z
    .record(serverNameSchema, mcpServerSchema)
    .default({})
    .describe('MCP servers of this tenant'),
  apis: apisSchema.describe('Imported APIs of this tenant'),
})

/**
 * The one schema of configuration. Everything has a default: `toolcrib dev` runs without a file.
 */
export const configSchema = z.strictObject({
  tools: z
    .array(z.string())
    .optional()
    .describe('Folders that are scanned for *.tool.ts; defaults to ./tools if it exists'),
  packs: packsSchema.default({}).describe('For every tenant'),
  policy: levelSchema.optional().describe('The global level: narrows access for everybody'),
  profiles: profilesSchema,
  groups: groupsSchema,
  providers: providersSchema,
  agents: agentsSchema.describe('Agents of the default tenant'),
  roles: rolesSchema,
  tenants: z
    .array(tenant)
    .superRefine(eachOnce('tenants', 'slug'))
    .default([])
    .describe('Additional tenants'),
  skills: skillFolders.describe(
    'Folders with skills of the default tenant: each a SKILL.md, or folders with one',
  ),
  mcpServers: z
    .record(serverNameSchema, mcpServerSchema)
    .default({})
    .describe('MCP servers whose tools are available to every tenant'),
  apis: apisSchema.describe('Imported APIs of the default tenant'),
  toolSearch: toolSearchSchema,
  models: modelsSchema.prefault({}).describe('Models that agents use'),
  gateway: gatewaySchema.prefault({}).describe('Rules for adding MCP servers'),
  storage: z
    .strictObject({
      database: z
        .string()
        .optional()
        .describe('PostgreSQL URL; absent means the embedded store in the data folder'),
      poolSize: z.int().min(2).max(100).default(8).describe('Connections to PostgreSQL'),
    })
    .prefault({})
    .describe('Storage of records'),
  server: serverSchema.prefault({}).describe('The server: address, limits, proxies'),
  retention: retentionSchema,
  catalogue: catalogueSchema,
  limits: z
    .strictObject({
      callDepth: z
        .int()
        .min(1)
        .max(64)
        .default(16)
        .describe('The maximum depth of tools that call tools'),
      artifactBytes: z
        .int()
        .min(65_536)
        .max(1_073_741_824)
        .default(67_108_864)
        .describe('The largest output that is stored'),
      drainMs: z
        .int()
        .min(0)
        .max(600_000)
        .default(10_000)
        .describe('How long a stopping server waits for running calls'),
      nodeTimeoutMs: z
        .int()
        .min(1000)
        .max(600_000)
        .default(10_000)
        .describe('How long a node can be silent before it counts as dead'),
      concurrency: z
        .int()
        .min(1)
        .max(10_000)
        .default(32)
        .describe('The maximum number of queued calls that run at once on this node'),
      ...toolWorkerLimits,
      tenantConcurrency: z
        .int()
        .min(1)
        .max(10_000)
        .optional()
        .describe(
          'The maximum number of queued calls of one tenant that run at once, over all nodes',
        ),
      queued: z
        .int()
        .min(1)
        .max(10_000_000)
        .default(100_000)
        .describe('The maximum number of queued calls; one tenant may use four fifths of it'),
      completionBytes: z
        .int()
        .min(1024)
        .max(268_435_456)
        .default(33_554_432)
        .describe('The largest response of an external worker'),
      modelMs: z
        .int()
        .min(1000)
        .max(7_200_000)
        .default(600_000)
        .describe('The maximum total duration of one model response'),
      modelFirstMs: z
        .int()
        .min(1000)
        .max(7_200_000)
        .default(120_000)
        .describe('How long a provider may take to start responding; it is tried twice'),
      modelChunkMs: z
        .int()
        .min(1000)
        .max(7_200_000)
        .default(120_000)
        .describe('How long a model may pause in the middle of a response'),
      modelRetries: z
        .int()
        .min(0)
        .max(10)
        .default(3)
        .describe('How often a request to a busy or failing provider is retried'),
      rules: limitRulesSchema,
    })
    .prefault({})
    .describe('Limits on running, waiting and total use'),
  uploads: uploadsSchema,
  workspaces: workspacesSchema,
  network: networkSchema.prefault({}).describe('Hosts that tools and the server may reach'),
  sandbox: sandboxSchema,
  code: codeSchema,
  authoring: authoringSchema,
  mcp: mcpDoorSchema.prefault({}).describe('Limits and timeouts of MCP clients'),
  approvals: approvalsSchema.prefault({}).describe('Approvals of calls that need a person'),
  logs: logsSchema.prefault({}).describe('The log that the server writes to stderr'),
  signIn: signInSchema.prefault({}).describe('How people sign in'),
  labels: labelsSchema,
})

/** The parsed configuration, with all defaults filled in. */
export type Config = z.output<typeof configSchema>
export type AgentConfig = Config['agents'][number]
