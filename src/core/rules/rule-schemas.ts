import { z } from 'zod'
import type { JsonValue } from '../kernel/json.ts'
import { workspaceModes } from '../kernel/context/workspace.ts'
import { toolModes } from '../kernel/meta-tools.ts'
import { toolEvals } from '../schema/tool-evals.ts'
import { slugPattern } from './tenant.ts'

/** Names of tenants, agents and similar. */
export const slugSchema = z
  .string()
  .regex(slugPattern, 'must be lower case letters, digits and dashes, starting with a letter')

/** A list of patterns, such as a group. */
export const patternsSchema = z
  .array(z.string().max(200))
  .max(10_000)
  .describe('Tool names or patterns: file.read, file.*, group:fs, pack:web, *')

/** One level of policy. */
export const levelSchema = z.strictObject({
  profile: z.string().max(64).optional().describe('A built-in or custom profile'),
  allow: patternsSchema.default([]),
  deny: patternsSchema.default([]),
})

/** A custom profile. */
export const profileSchema = z.strictObject({
  allow: patternsSchema,
  deny: patternsSchema.default([]),
})

/** The grants added to an agent, as stored. */
export const grantsSchema = z
  .array(
    z.strictObject({
      pattern: z.string().max(200),
      kind: z.enum(['allow', 'deny']),
      sources: z.array(z.string().max(200)),
    }),
  )
  .max(10_000)

/** Not z.json(): it is recursive, and generating the HTTP API description would never end. */
const jsonValue = z.unknown() as z.ZodType<JsonValue>

const toolSettingsSchema = z.strictObject({
  enabled: z.boolean().optional().describe('False hides the tool from this agent'),
  needsApproval: z.boolean().optional().describe('Require approval for every call'),
  execution: z
    .enum(['inline', 'background'])
    .optional()
    .describe('Answer when it is done, or at once and run it afterwards'),
  timeoutMs: z
    .int()
    .min(1)
    .max(86_400_000)
    .optional()
    .describe("Shorter than the tool's own timeout, in milliseconds"),
  options: z
    .record(z.string(), jsonValue)
    .optional()
    .describe("Values for the tool's own options, according to its options schema"),
})

/** Names of agents may also contain `_`, because names in agent frameworks do. */
const agentSlugSchema = z
  .string()
  .regex(
    /^[a-z][a-z0-9_-]{0,62}$/,
    'must be lower case letters, digits, dashes and underscores, starting with a letter',
  )

/** An agent as it is declared, created and stored. */
export const agentSchema = z.strictObject({
  slug: agentSlugSchema.describe('Its name in addresses, keys and agent:<slug>'),
  name: z.string().max(200).optional().describe('Display name'),
  model: z.string().min(1).max(200).default('demo').describe('demo, or <provider>/<model>'),
  instructions: z.string().max(100_000).default('').describe('Its system prompt'),
  tools: levelSchema.prefault({}).describe('Its grants; without any it has no tools'),
  settings: z.record(z.string(), toolSettingsSchema).default({}).describe('By tool'),
  autonomy: z
    .enum(['conservative', 'standard', 'autonomous'])
    .default('standard')
    .describe(
      'Which calls need approval: conservative, every call with an effect; standard and autonomous, those that a rule or the tool names',
    ),
  hooks: z
    .strictObject({
      confirm: patternsSchema.default([]),
      log: patternsSchema.default([]),
      silent: patternsSchema.default([]),
    })
    .prefault({})
    .describe('Tools whose calls are always confirmed, logged or kept quiet'),
  permissions: z
    .array(z.string().min(1).max(200))
    .max(1_000)
    .optional()
    .describe('The permissions it may use of those its caller has; all unless set'),
  toolMode: z
    .enum(toolModes)
    .default('auto')
    .describe(
      'List all its tools, or let it search them; auto: depends on their number; code: it writes programs that call them, if it may use code.run',
    ),
  shortNames: z
    .boolean()
    .default(false)
    .describe(
      'Offer file and shell tools as bash, read, write, edit, glob and grep, the names that coding models know',
    ),
  workspaceMode: z
    .enum(workspaceModes)
    .optional()
    .describe(
      'May files be changed in its workspaces: by nobody, by tools after a person has agreed, or by tools without asking; `workspaces.mode` unless set. Applies to new workspaces',
    ),
  subagentWorkspace: z
    .enum(['share', 'own'])
    .default('share')
    .describe('Do agents that it starts work in its workspace, or in one of their own'),
  attachmentsToWorkspace: z
    .boolean()
    .default(false)
    .describe(
      'Put files that people attach to messages into its workspace, and give it their paths',
    ),
  memoryEnabled: z.boolean().default(true).describe('False hides the tools of the pack memory'),
  knowledgeEnabled: z
    .boolean()
    .default(true)
    .describe('False hides the tools of the pack knowledge'),
  description: z
    .string()
    .min(1)
    .max(1_000)
    .optional()
    .describe(
      'Describes what other agents can ask it to do; if set, it becomes the tool agent:<slug>',
    ),
  maxSteps: z.int().min(1).max(100).optional().describe('Model calls per turn (default 15)'),
  maxTurnTokens: z.int().min(100).optional().describe('Tokens that one turn may use in total'),
  providerTools: z
    .array(
      z.strictObject({
        tool: z
          .string()
          .regex(/^[a-z]+\.[a-zA-Z0-9_]{1,100}$/)
          .describe('<provider>.<tool>, as the AI SDK names it'),
        args: z
          .record(z.string(), jsonValue)
          .default({})
          .describe('Its settings, as the AI SDK names them'),
      }),
    )
    .max(20)
    .optional()
    .describe('Tools that the model provider runs itself, such as openai.web_search'),
  evals: toolEvals
    .optional()
    .describe('Requests with the calls it should make for them, run by toolcrib eval'),
})

export type AgentSpec = z.output<typeof agentSchema>
export type LevelSpec = z.output<typeof levelSchema>
