import { runtimes } from '../../core/kernel/runtime.ts'
import { z } from 'zod'
import {
  type PortabilityFinding,
  type ToolDetail,
  type ToolFileProblem,
  type ToolListing,
  toolSources,
} from '../../core/tools/tool-listing.ts'
import { type FormSpec, formWidgets } from '../../core/kernel/views/form-spec.ts'
import { viewSpec } from '../../core/kernel/views/view-spec.ts'
import { jsonValue } from '../../core/operations/fields.ts'

/** Pictures by their addresses. */
export const toolIcons = z
  .array(
    z.object({
      src: z.string(),
      mimeType: z.string().optional(),
      sizes: z.array(z.string()).optional(),
      theme: z.enum(['light', 'dark']).optional(),
    }),
  )
  .meta({ description: 'Pictures that another server gives it, by their addresses' })

const listingFields = {
  name: z.string(),
  wireName: z.string().meta({ description: 'The name that models and MCP clients use' }),
  title: z.string(),
  description: z.string(),
  effect: z.enum(['read', 'write', 'destructive']),
  pack: z.string(),
  source: z.enum(toolSources),
  state: z.enum(['ready', 'misconfigured', 'quarantined']),
  reason: z.string().optional().meta({ description: 'Why it is not ready' }),
  fix: z
    .string()
    .optional()
    .meta({ description: 'The change that would make it ready, and who can make it' }),
  icon: z.string().optional().meta({ description: 'Name of its picture, of the tabler set' }),
  asks: z.literal(true).optional().meta({ description: 'Every call of it waits for a person' }),
}

const portabilityFinding: z.ZodType<PortabilityFinding> = z
  .object({
    provider: z.enum(['openai', 'anthropic', 'gemini']),
    severity: z.enum(['error', 'warning']),
    path: z.string(),
    message: z.string(),
  })
  .meta({ id: 'PortabilityFinding' })

export const toolListing: z.ZodType<ToolListing> = z.object(listingFields).meta({ id: 'Tool' })

const jsonSchema = z
  .record(z.string(), z.unknown())
  .meta({ id: 'JsonSchema', description: 'A JSON Schema 2020-12 object.' })

export const toolCounts = z
  .object({
    total: z.int().meta({ description: 'How many fit' }),
    packs: z
      .array(z.object({ name: z.string(), tools: z.int() }))
      .meta({ description: 'All that the caller sees, by pack' }),
    hidden: z
      .int()
      .optional()
      .meta({ description: 'Hidden from the caller; shown to callers with `policy.read`' }),
  })
  .meta({ id: 'ToolCounts' })
export type ToolCounts = z.output<typeof toolCounts>

export const toolFileProblem: z.ZodType<ToolFileProblem> = z
  .object({
    file: z.string().meta({ description: 'Relative to the folder of the configuration' }),
    line: z.int().optional(),
    column: z.int().optional(),
    message: z.string(),
    tools: z.array(z.string()).meta({ description: 'Tools whose last working version is in use' }),
  })
  .meta({ id: 'ToolFileProblem' })

/** Defined again here, because core does not know OpenAPI. */
const viewDescription = z
  .strictObject(viewSpec.shape)
  .meta({ id: 'ViewSpec', description: 'How people are shown the output.' })

const formDescription: z.ZodType<FormSpec> = z
  .object({
    order: z.array(z.string()).optional(),
    groups: z
      .array(
        z.object({
          label: z.string(),
          description: z.string().optional(),
          fields: z.array(z.string()),
          collapsed: z.boolean().optional(),
        }),
      )
      .optional(),
    fields: z
      .record(
        z.string(),
        z.object({
          label: z.string().optional(),
          help: z.string().optional(),
          placeholder: z.string().optional(),
          widget: z.enum(formWidgets).optional(),
          hidden: z.boolean().optional(),
          order: z.array(z.string()).optional(),
        }),
      )
      .optional()
      .meta({ description: 'By path: `customer.email`, `tasks[].name`' }),
  })
  .meta({
    id: 'FormSpec',
    description: 'How people fill the input in, where the schema alone does not say it well',
  })

const toolTest = z
  .object({
    label: z.string(),
    input: jsonValue,
    expect: z.object({
      status: z.enum(['completed', 'failed', 'denied']).optional(),
      output: jsonValue.optional().meta({ description: 'A pattern' }),
      error: z.string().optional(),
      where: z.array(z.record(z.string(), z.unknown())).optional(),
    }),
    given: z.record(z.string(), jsonValue).optional().meta({
      description: 'Outputs of tools that it calls; they are not called',
    }),
  })
  .meta({ id: 'ToolTest' })

const toolEval = z
  .object({
    label: z.string().optional(),
    say: z.string(),
    as: z.string().optional(),
    expect: z.object({
      calls: z.array(z.object({ tool: z.string(), input: jsonValue.optional() })).optional(),
      not: z.array(z.string()).optional(),
      maxCalls: z.int().optional(),
      answer: jsonValue.optional().meta({ description: 'A condition, or a pattern' }),
    }),
    given: z.record(z.string(), jsonValue).optional(),
  })
  .meta({ id: 'ToolEval' })

/** One tool with all that can be known of it without running it. */
export const toolDetail = z
  .object({
    ...listingFields,
    icons: toolIcons.optional(),
    idempotent: z.boolean(),
    openWorld: z.boolean(),
    inputSchema: jsonSchema,
    outputSchema: jsonSchema.optional(),
    optionsSchema: jsonSchema.optional(),
    examples: z.array(z.object({ label: z.string(), input: jsonValue })),
    secrets: z.array(
      z.object({
        key: z.string(),
        label: z.string(),
        optional: z.boolean(),
        requiredWhen: z
          .object({ option: z.string().optional(), secret: z.string().optional(), is: z.string() })
          .optional()
          .meta({
            description:
              'An optional one is required while the option, or without it the secret, has this value',
          }),
        type: z.enum(['text', 'select']),
        choices: z.array(z.string()),
        sensitive: z.boolean(),
      }),
    ),
    env: z.array(z.string()),
    permission: z.string().optional(),
    approval: z.enum(['auto', 'always']),
    tenants: z.array(z.string()),
    runtimes: z.array(z.enum(runtimes)),
    execution: z.enum(['inline', 'background', 'external']),
    isolation: z.enum(['inline', 'worker']),
    timeoutMs: z.int(),
    maxOutputBytes: z.int(),
    retries: z.int(),
    cost: z.number(),
    sections: z.array(
      z.object({
        key: z.string(),
        label: z.string(),
        type: z.string(),
        fields: z.record(z.string(), z.string()).optional().meta({
          description: 'Keys of the output with facts about it, by the name of the fact',
        }),
      }),
    ),
    form: formDescription.optional(),
    view: viewDescription.optional(),
    collaborative: z.boolean(),
    aliases: z.array(z.string()),
    fields: z
      .array(z.record(z.string(), z.unknown()))
      .meta({ description: 'The input as the fields of a form' }),
    preview: z
      .object({
        binds: z.boolean().meta({
          description: 'An approved call waits again if its preview has changed in the meantime',
        }),
      })
      .optional()
      .meta({ description: 'It can show what a call would do' }),
    undo: z
      .object({
        withinMs: z.int(),
        tool: z.string().optional().meta({ description: 'The tool that undoes its calls' }),
      })
      .optional()
      .meta({ description: 'Its calls can be undone' }),
    tests: z.array(toolTest).optional(),
    evals: z.array(toolEval).optional(),
    portability: z.array(portabilityFinding),
    warnings: z.array(z.string()),
    lastWorking: z.object({ problem: toolFileProblem.optional() }).optional().meta({
      description:
        'Its file no longer loads, and the last working version is in use. Callers with `tools.approve` in the default tenant see the reason',
    }),
  })
  .meta({ id: 'ToolDetail' }) as unknown as z.ZodType<ToolDetail>

/** A tool that fits a search; all of them are ready to be called. */
export const toolHit = z.object({
  name: z.string(),
  wireName: z.string(),
  title: z.string(),
  description: z.string(),
  effect: z.enum(['read', 'write', 'destructive']),
  pack: z.string(),
  source: z.enum(toolSources),
})
export type ToolSearchHit = z.output<typeof toolHit>

/** The approximate size of a caller's tools in a model's context. */
export const toolEstimate = z.object({
  tools: z.int(),
  mode: z.enum(['list', 'search']),
  tokens: z.object({ list: z.int(), search: z.int() }),
  heaviest: z.array(z.object({ name: z.string(), tokens: z.int() })),
})
export type ToolEstimate = z.output<typeof toolEstimate>
