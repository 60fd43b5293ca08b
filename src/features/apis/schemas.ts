import { z } from 'zod'
import { jsonValue, principal, shortText, time } from '../../core/operations/fields.ts'
import {
  definitionDifferences,
  reviewFields,
  sourcedToolState,
} from '../../core/operations/review-fields.ts'
import type { ApiSpec } from './spec.ts'

const effect = z.enum(['read', 'write', 'destructive'])
const patterns = z.array(z.string())

/** The types of the fields; `checkApi` holds them to their bounds. */
const specFields = {
  title: z.string().max(200),
  url: z.string().meta({ description: 'The address of the document' }),
  server: z.string().meta({
    description:
      'The address of the API; the first that the document names if omitted. Credentials go only to its host.',
  }),
  auth: z.record(z.string(), z.string()).meta({
    description: 'By security scheme of the document: the name of the secret that signs requests',
  }),
  headers: z.record(z.string(), z.string()).meta({
    description: 'Sent with every request; `secret:<name>` is replaced by the secret',
  }),
  include: patterns.meta({
    description:
      'Only these operations become tools: names or patterns, verb and path (`GET /repos/*`), or `tag:<tag>`',
  }),
  exclude: patterns.meta({ description: 'These do not, by the same patterns' }),
  effects: z.record(z.string(), effect).meta({
    description: 'A stronger effect than that of the verb, by operation or pattern',
  }),
  timeoutMs: z.int(),
  maxResponseBytes: z.int().meta({ description: 'Larger responses are refused' }),
  maxOutputBytes: z.int().meta({
    description: 'The maximum size of a result for callers; the rest is stored as an artifact',
  }),
  private: z.boolean().meta({ description: 'Allow an address that is not on the public internet' }),
  pin: z.boolean().meta({ description: 'Quarantine a changed operation until someone accepts it' }),
  enabled: z.boolean(),
} satisfies Record<keyof ApiSpec, z.ZodType>

const given = {
  document: z.string().meta({ description: 'The text of the document, in JSON or YAML' }),
  upload: z.string().meta({ description: 'The id of an upload with the document' }),
}

const { url, server, private: isPrivate } = specFields

/** A document to read without keeping it. */
export const apiPreviewRequest = z
  .strictObject({ url, ...given, server, private: isPrivate })
  .partial()
  .meta({ id: 'ApiPreviewRequest', description: 'One of `url`, `document` and `upload`' })

export const apiRequest = z
  .strictObject({ ...specFields, ...given })
  .partial()
  .extend({
    name: shortText('Its name, the middle of `api:<name>:<operation>`'),
    hash: z.string().optional().meta({
      description: 'The hash of the previewed document: 409 if it has changed since',
    }),
  })
  .meta({ id: 'ApiRequest', description: 'One of `url`, `document` and `upload`, and settings' })

type SpecFields = { [name in keyof typeof specFields]: z.output<(typeof specFields)[name]> }
type ApiChange = { [name in keyof SpecFields]?: SpecFields[name] | null }

/** Omitted fields are unchanged. */
export const apiChange = z
  .strictObject(
    Object.fromEntries(
      Object.entries(specFields).map(([name, field]) => [name, field.nullable().optional()]),
    ),
  )
  .meta({ id: 'ApiChange' }) as unknown as z.ZodType<ApiChange, ApiChange>

export const apiRefreshRequest = z.strictObject(given).partial().meta({
  id: 'ApiRefreshRequest',
  description: 'For a document that was uploaded: its present text',
})

const finding = z.object({ message: z.string() })

const scheme = z
  .object({
    name: z.string(),
    kind: z.enum(['key', 'bearer', 'basic', 'unsupported']),
    in: z.enum(['header', 'query', 'cookie']).optional(),
    parameter: z.string().optional().meta({ description: 'The header or parameter of a key' }),
    type: z.string().optional().meta({ description: 'Of one that is not supported' }),
  })
  .meta({ id: 'ApiScheme' })

const documentFacts = {
  title: z.string(),
  version: z.string(),
  description: z.string(),
  format: z.string().meta({ description: 'The version of OpenAPI or Swagger' }),
  servers: z.array(z.string()),
  schemes: z.array(scheme).meta({ description: 'The ways to sign requests' }),
  findings: z.array(finding).meta({ description: 'About the document as a whole' }),
}

const operationFacts = {
  name: z.string().meta({ description: 'The last part of its tool’s name' }),
  title: z.string(),
  method: z.string(),
  path: z.string(),
  tags: z.array(z.string()),
  findings: z.array(finding),
}

/** The operations that adding a document would import. */
export const apiPreview = z
  .object({
    hash: z.string().meta({ description: 'Of the document: pass it on when you add it' }),
    ...documentFacts,
    operations: z.array(
      z.object({
        ...operationFacts,
        effect,
        fault: z.string().optional().meta({ description: 'Why it would be quarantined' }),
      }),
    ),
  })
  .meta({ id: 'ApiPreview' })
export type ApiPreview = z.output<typeof apiPreview>

/** An API with its state. */
export const api = z
  .object({
    ...z.object(specFields).partial().shape,
    name: z.string(),
    isDeclared: z.boolean().meta({ description: 'Configuration declares it' }),
    state: z.enum(['ready', 'unread', 'disabled', 'closed']),
    reason: z.string().optional(),
    fix: z.string().optional(),
    toolCounts: z.object({ ready: z.int(), quarantined: z.int(), leftOut: z.int() }),
    document: z
      .object({ ...documentFacts, hash: z.string(), readAt: time })
      .optional()
      .meta({ description: 'As it was last read' }),
    missingSecrets: z
      .array(z.string())
      .meta({ description: 'Secrets that its settings name and the tenant does not have' }),
    updatedAt: time,
    updatedBy: principal,
  })
  .meta({ id: 'Api' })
export type Api = z.output<typeof api>

/** The result of reading a document again. */
export const apiRefresh = z
  .object({
    api,
    added: z.array(z.string()),
    changed: z.array(z.string()).meta({ description: 'They wait until somebody accepts them' }),
    removed: z.array(z.string()),
  })
  .meta({ id: 'ApiRefresh' })
export type ApiRefresh = z.output<typeof apiRefresh>

/** One operation of an API, with why it is not in use. */
export const apiTool = z
  .object({
    ...operationFacts,
    tool: z.string().meta({ description: 'Its canonical name: `api:<api>:<operation>`' }),
    effect: effect.meta({ description: 'The effect used for decisions' }),
    effectBy: z.enum(['verb', 'operator']).meta({ description: 'The source of the effect' }),
    state: sourcedToolState,
    reason: z.string().optional().meta({ description: 'Why it is not in use' }),
    hash: z.string().meta({ description: 'The hash of its definition' }),
    differences: definitionDifferences,
  })
  .meta({ id: 'ApiTool' })
export type ApiTool = z.output<typeof apiTool>

/** Reviews of operations. */
export const apiReview = reviewFields({
  one: 'operation',
  tool: z.string().min(1).max(200).meta({ description: 'The name of the operation' }),
  id: 'ApiTool',
})
export type DecidedApiTool = z.output<typeof apiReview.decided>

/** An operation as a document of a tool. */
export const ownTool = z
  .object({
    document: jsonValue.meta({ description: 'An HTTP tool that sends the same request' }),
    findings: z.array(
      z.object({
        path: z.string(),
        message: z.string(),
        severity: z.enum(['error', 'warning']),
      }),
    ),
  })
  .meta({ id: 'OwnApiTool' })
