import { runtimes } from '../kernel/runtime.ts'
import { z } from 'zod'
import { clientAbilities } from '../kernel/context/caller-client.ts'
import { type Issue, ToolError } from '../kernel/errors.ts'
import { formSpec } from '../kernel/views/form-spec.ts'
import { dataKinds, outsideEffects } from '../kernel/tool-labels.ts'
import { isCanonicalName, isToolName } from '../kernel/names.ts'
import type { JsonValue } from '../kernel/tool.ts'
import { outputSection, viewSpec } from '../kernel/views/view-spec.ts'
import { checkJson } from '../kernel/json/check-json.ts'
import { findConditionIssues } from './secret-conditions.ts'
import { toPointer } from '../kernel/json/json-pointer.ts'
import { toolEvals } from './tool-evals.ts'
import { toolTests } from './tool-tests.ts'

const name = z.string().refine(isCanonicalName, {
  error:
    'must be lower-case words joined by dots, like billing.refund: each starts with a letter, then letters, digits, _ or -, at most 100 characters in all',
})
/** Other systems write `webSearch` where ours is `web.search`. */
const alias = z.string().regex(/^[A-Za-z][A-Za-z0-9_.-]{0,99}$/, {
  error: 'must be letters, digits, _, . and -, starting with a letter, at most 100 characters',
})
const text = (max: number) => z.string().trim().min(1).max(max)
const json = z.custom<JsonValue>((value) => checkJson(value) === undefined, {
  error: 'must be plain JSON: no functions, dates, cycles or undefined',
})
const slug = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, {
  error: 'must be a slug: lower-case letters, digits, _ and -',
})
const secretKey = z.string().regex(/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/, {
  error:
    'must start with a letter and contain only letters, digits, _, . and -, at most 64 characters',
})

const secret = z
  .strictObject({
    key: secretKey,
    label: text(200).optional(),
    optional: z.boolean().default(false),
    requiredWhen: z
      .strictObject({
        option: text(100).optional(),
        secret: secretKey.optional(),
        is: text(200),
      })
      .optional(),
    type: z.enum(['text', 'select']).optional(),
    choices: z.array(text(200)).max(100).default([]),
    sensitive: z.boolean().optional(),
  })
  .refine((value) => value.type !== 'select' || value.choices.length > 0, {
    error: 'needs choices when its type is select',
    path: ['choices'],
  })

/** The schema checks any value; authors are shown what it takes. */
const authoredEvals = toolEvals as z.ZodType<z.output<typeof toolEvals>, z.output<typeof toolEvals>>

/** All facts of a tool besides its schemas and functions, with limits and defaults. */
export const toolFacts = z.strictObject({
  name,
  title: text(200).optional(),
  description: text(1024),
  icon: text(100).optional(),
  pack: slug.optional(),
  effect: z.enum(['read', 'write', 'destructive']),
  idempotent: z.boolean().optional(),
  openWorld: z.boolean().default(false),
  examples: z
    .array(z.strictObject({ label: text(200), input: json }))
    .max(50)
    .default([]),
  secrets: z
    .array(z.union([secretKey, secret]))
    .max(50)
    .default([]),
  env: z
    .array(
      z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, {
        error: 'must be the name of an environment variable',
      }),
    )
    .max(50)
    .default([]),
  permission: z
    .string()
    .regex(/^[a-z][a-z0-9_-]*(\.[a-z][a-z0-9_-]*)*$/, { error: 'must be like billing.refund' })
    .optional(),
  approval: z.enum(['auto', 'always']).default('auto'),
  tenants: z.array(slug).default([]),
  runtimes: z.array(z.enum(runtimes)).default([]),
  execution: z.enum(['inline', 'background', 'external']).default('inline'),
  isolation: z.enum(['inline', 'worker']).default('inline'),
  timeoutMs: z.int().min(1).max(86_400_000).default(30_000),
  completionMs: z.int().min(1000).max(2_592_000_000).default(86_400_000),
  maxOutputBytes: z.int().min(1024).max(16_777_216).default(51_200),
  retries: z.int().min(0).max(10).default(0),
  cost: z.number().min(0).max(1_000_000_000).default(0),
  concurrency: z.int().min(1).max(10_000).optional(),
  sections: z.array(outputSection).max(50).default([]),
  form: formSpec.optional(),
  view: viewSpec.optional(),
  collaborative: z.boolean().default(false),
  aliases: z.array(alias).max(20).default([]),
  labels: z
    .strictObject({
      reads: z.array(z.enum(dataKinds)).max(2).optional(),
      effects: z.enum(outsideEffects).optional(),
    })
    .optional(),
  clientNeeds: z.array(z.enum(clientAbilities)).max(clientAbilities.length).optional(),
  previewBinds: z.boolean().optional(),
  undoMs: z.int().min(1000).max(31_536_000_000).optional(),
  tests: toolTests.optional(),
  evals: authoredEvals.optional(),
})

/**
 * The facts of imported tools: their names may have a namespace, and their descriptions any length.
 * They can't declare labels.
 */
export const foreignToolFacts = toolFacts.omit({ labels: true }).extend({
  name: z
    .string()
    .refine(isToolName, { error: 'must be a name like mcp:server:tool, agent:slug or pack.verb' }),
  description: z.string().max(16_384),
  pack: text(128).optional(),
})

/** The facts, checked and with defaults. */
export type ToolFacts = z.output<typeof toolFacts>

/**
 * Checks the facts of a tool. Throws `invalid_tool`, which names the tool and every invalid field
 * with its rule.
 */
export function parseFacts(given: object, facts: z.ZodType<ToolFacts> = toolFacts): ToolFacts {
  const result = facts.safeParse(given, { reportInput: true })
  const issues = result.success ? findContradictions(result.data) : toFieldIssues(result.error)
  if (result.success && issues.length === 0) return result.data
  throw invalidTool((given as { name?: unknown }).name, issues)
}

/** The error for a tool that can't be defined. */
export function invalidTool(named: unknown, issues: readonly Issue[], cause?: unknown): ToolError {
  const tool = typeof named === 'string' && named !== '' ? named.slice(0, 120) : '(without a name)'
  const said = issues.map(
    ({ path, message }) => `${path.slice(1).replaceAll('/', '.') || 'the definition'} ${message}`,
  )
  return new ToolError('invalid_tool', `Tool ${tool}: ${said.join('; ')}`, { issues, cause })
}

function findContradictions(facts: ToolFacts): Issue[] {
  const isRepeatable = facts.idempotent ?? facts.effect === 'read'
  const issues: Issue[] = []
  if (facts.retries > 0 && !isRepeatable) {
    const message = `is ${facts.retries} for a tool that changes something and is not idempotent: it might do it twice. Set retries: 0, or idempotent: true if repeating it does no harm`
    issues.push({ path: '/retries', message })
  }
  const keys = facts.secrets.map((entry) => (typeof entry === 'string' ? entry : entry.key))
  const repeated = keys.find((key, index) => keys.indexOf(key) !== index)
  if (repeated !== undefined) issues.push({ path: '/secrets', message: `names ${repeated} twice` })
  else issues.push(...findConditionIssues(facts.secrets))
  return issues
}

/** `stripe_key` → `Stripe key`, `billing.refund` → `Billing refund`. */
export function toLabel(words: string): string {
  const spaced = words.replaceAll(/[._:/-]+/g, ' ').trim()
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}

const similarFields: Readonly<Record<string, string>> = {
  timeout: 'timeoutMs',
  input: 'inputSchema',
  parameters: 'inputSchema',
  schema: 'inputSchema',
  output: 'outputSchema',
  handler: 'execute',
  run: 'execute',
  readOnly: 'effect: "read"',
  needsApproval: 'approval: "always"',
  example: 'examples',
  secret: 'secrets',
  tenant: 'tenants',
}

/** Converts zod's issues with a definition to our messages. */
export function toFieldIssues(error: z.core.$ZodError): Issue[] {
  return error.issues.flatMap(toIssues)
}

function toIssues(issue: z.core.$ZodIssue): Issue[] {
  const path = toPointer(issue.path)
  if (issue.code === 'unrecognized_keys') {
    const whole = /^\/(?:view|form)/.exec(path)?.[0].slice(1) ?? 'tool'
    return issue.keys.map((key) => {
      const similar = Object.hasOwn(similarFields, key) ? similarFields[key] : undefined
      return {
        path: `${path}/${key}`,
        message:
          similar !== undefined && whole === 'tool'
            ? `is not a field of a tool; you may mean ${similar}`
            : `is not a field of a ${whole}`,
      }
    })
  }
  return [{ path, message: toSentence(issue) }]
}

/** The expected type, in words; for a single value in place of a list, that of the value. */
function toKind({ expected, input }: z.core.$ZodIssueInvalidType): string {
  if (expected === 'array') {
    return typeof input === 'string' ? `a list: [${JSON.stringify(input)}]` : 'a list'
  }
  const words: Partial<Record<string, string>> = {
    object: 'an object',
    int: 'a whole number',
    boolean: 'true or false',
    string: 'a string',
  }
  return words[expected] ?? `a ${expected}`
}

function toSentence(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `must be ${toKind(issue)}`
    case 'invalid_value':
      return `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`
    case 'too_small':
      if (issue.origin === 'string' || issue.origin === 'array') return 'must not be empty'
      return `must be at least ${issue.minimum}`
    case 'too_big':
      return issue.origin === 'number' || issue.origin === 'int'
        ? `must be at most ${issue.maximum}`
        : `must have at most ${issue.maximum} ${issue.origin === 'array' ? 'entries' : 'characters'}`
    case 'invalid_union':
      return toUnionSentence(issue)
    default:
      return issue.message
  }
}

/** A union without a message of its own. */
function toUnionSentence({ path, message }: z.core.$ZodIssue): string {
  if (path[0] === 'secrets') {
    return 'must be a key like "stripe_key", or { key, label?, optional?, type?, choices?, sensitive? }'
  }
  return message === 'Invalid input' ? 'has none of the forms that it may have' : message
}
