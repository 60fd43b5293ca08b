import { z } from 'zod'
import { closed, ifVersion } from '../agents/schemas.ts'
import { parseHostPattern } from '../../core/net/host-pattern.ts'
import { maxShortChars } from '../../core/kernel/text/short-text.ts'
import { principal, shortText, time } from '../../core/operations/fields.ts'
import { slugSchema } from '../../core/rules/rule-schemas.ts'

const mostHosts = 1000
export const mostRules = 500

const hostPattern = z
  .string()
  .min(1)
  .max(maxShortChars)
  .refine((text) => parseHostPattern(text) !== undefined, {
    error:
      'must be a host such as example.com, *.example.com or *, optionally with :port, and without https://',
  })

export const hostPatterns = z.array(hostPattern).max(mostHosts).default([])

export const networkRuleFields = {
  allow: hostPatterns.meta({
    description: 'Hosts: `example.com`, `*.example.com`, `example.com:8443`, `*`',
  }),
  deny: hostPatterns.meta({ description: 'Hosts that are excluded, whatever allows them' }),
}

const ruleId = z
  .string()
  .regex(
    /^[a-z][a-z0-9-]{0,62}$/,
    'must be lower case letters, digits and dashes, starting with a letter',
  )
  .meta({ description: 'The name that messages and the console use' })

/** A rule as it is written and stored. */
export const networkRuleSpec = z
  .strictObject({
    agent: slugSchema.optional().meta({ description: 'Only for this agent and those below it' }),
    pack: z
      .string()
      .regex(/^[a-zA-Z][a-zA-Z0-9_-]{0,99}$/, 'must be the name of a pack')
      .optional()
      .meta({ description: 'Only for tools of this pack; `code` for tools of your own' }),
    ...networkRuleFields,
    note: shortText('Why it is there').optional(),
  })
  .refine((rule) => rule.allow.length + rule.deny.length > 0, {
    error: 'names no host; give allow or deny',
  })
  .meta({ id: 'NetworkRuleSpec' })
export type NetworkRuleSpec = z.output<typeof networkRuleSpec>

/** True if a rule may have this id. */
export function isRuleId(text: string): boolean {
  return ruleId.safeParse(text).success
}

/** A rule as the doors show it. */
export const networkRule = z
  .object({
    id: z.string(),
    agent: z.string().optional(),
    pack: z.string().optional(),
    allow: z.array(z.string()),
    deny: z.array(z.string()),
    note: z.string().optional(),
    setBy: z.string().meta({ description: '`toolcrib`, `configuration`, or who set it' }),
    setAt: time.optional(),
    updatedBy: principal.optional(),
    version: z.int().optional(),
    isDeclared: z
      .boolean()
      .optional()
      .meta({ description: 'The configuration declares it for this tenant, and alone changes it' }),
    closed,
  })
  .meta({ id: 'NetworkRule' })
export type NetworkRuleView = z.output<typeof networkRule>

export const networkRules = z
  .object({
    rules: z.array(networkRule).meta({ description: "The tenant's own rules" }),
    defaults: z
      .array(networkRule)
      .meta({ description: 'Rules for every tenant: the configuration and the defaults' }),
  })
  .meta({ id: 'NetworkRules' })
export type NetworkRulesView = z.output<typeof networkRules>

/** A rule with its name. */
export const namedRule = networkRuleSpec.safeExtend({ id: ruleId })

/** All rules of a tenant, without those that the configuration declares. */
export const networkRulesRequest = z
  .strictObject({
    rules: z
      .array(namedRule)
      .max(mostRules)
      .refine((rules) => new Set(rules.map(({ id }) => id)).size === rules.length, {
        error: 'two have the same id',
      }),
  })
  .meta({ id: 'NetworkRulesRequest' })
export type NamedNetworkRule = z.output<typeof namedRule>
export type NetworkRulesRequest = z.output<typeof networkRulesRequest>

export const networkRuleRequest = networkRuleSpec.safeExtend({ version: ifVersion })

const asked = {
  host: shortText('A host name or address, without a scheme'),
  port: z.coerce
    .number()
    .int()
    .min(1)
    .max(65_535)
    .default(443)
    .meta({ description: 'Its port (443)' }),
  agent: shortText('The calling agent').optional(),
  pack: shortText('The pack of the tool').optional(),
  tool: shortText('A tool; its pack counts').optional(),
  sandbox: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: 'For programs in a sandbox: by default for the packs that run them' }),
}

export const explainQuery = z.strictObject(asked)
export type ExplainQuery = z.output<typeof explainQuery>

const hostVerdict = z.object({
  verdict: z.enum(['allow', 'deny']),
  rule: z.string().meta({ description: 'The pattern that decided, or the reason' }),
  level: z
    .string()
    .meta({ description: '`global`, `tenant`, `agent:<slug>`, `address` or `default`' }),
  setBy: z.string(),
  id: z.string().optional().meta({ description: 'The rule with the pattern' }),
})

/** The verdict about a host, and that of every level. */
export const networkExplanation = hostVerdict
  .extend({ host: z.string(), port: z.int(), levels: z.array(hostVerdict) })
  .meta({ id: 'NetworkExplanation' })
export type NetworkExplanation = z.output<typeof networkExplanation>

const change = z.object({
  host: z.string(),
  port: z.int(),
  agent: z.string().optional(),
  pack: z.string(),
  before: hostVerdict,
  after: hostVerdict,
})

/** Verdicts that would change. */
export const networkPreview = z
  .object({
    items: z.array(change).meta({ description: 'Hosts whose verdict would change' }),
    unchanged: z.int().meta({ description: 'How many verdicts stay' }),
    isPartial: z.boolean().meta({ description: 'There are more than were compared' }),
  })
  .meta({ id: 'NetworkPreview' })
export type NetworkPreview = z.output<typeof networkPreview>
