import { z } from 'zod'
import { checkJson } from '../kernel/json/check-json.ts'
import type { JsonSchema, JsonValue } from '../kernel/json.ts'

/** A value of a choice. A title is shown instead of the value. */
export interface FieldChoice {
  value: string | number | boolean
  title?: string | undefined
}

interface FieldFacts {
  label?: string | undefined
  description?: string | undefined
  /** May be null as well. */
  nullable?: boolean | undefined
  default?: JsonValue | undefined
}

interface TextLimits {
  minLength?: number | undefined
  maxLength?: number | undefined
}

/** The values of a field, without its name. */
export type FieldShape = FieldFacts &
  (
    | (TextLimits & {
        type: 'text'
        /** Absent: one line. */
        format?: 'textarea' | 'markdown' | undefined
        pattern?: string | undefined
      })
    | {
        type: 'number'
        isInteger?: boolean | undefined
        minimum?: number | undefined
        maximum?: number | undefined
      }
    | { type: 'boolean' }
    | { type: 'date'; hasTime?: boolean | undefined }
    | { type: 'enum'; choices: FieldChoice[]; isMultiple?: boolean | undefined }
    | (TextLimits & { type: 'url' | 'email' })
    | { type: 'phone' }
    /** A file; `mediaType` such as `image/*`. */
    | { type: 'media'; mediaType?: string | undefined }
    /** An entity of a type; `select` names how one is chosen. */
    | { type: 'relation'; entityType: string; select?: string | undefined }
    | { type: 'object'; fields: Field[]; isOpen?: boolean | undefined }
    | {
        type: 'array'
        item: FieldShape
        minItems?: number | undefined
        maxItems?: number | undefined
      }
    /** None of these: kept as it is, and edited as JSON. */
    | { type: 'json'; schema: JsonSchema | boolean }
  )

/** One named field of an object. */
export type Field = FieldShape & { key: string; isRequired: boolean }

/** Enough for any form; the schema made from it is bounded again. */
const bounds = { fields: 200, choices: 10_000, chars: 10_000 } as const

const json = z.custom<JsonValue>((value) => value !== undefined && checkJson(value) === undefined, {
  error: 'must be plain JSON',
})
const schema = z.custom<JsonSchema | boolean>(
  (value) =>
    typeof value === 'boolean' ||
    (typeof value === 'object' && value !== null && checkJson(value) === undefined),
  { error: 'must be a JSON Schema' },
)
const facts = {
  label: z.string().max(200).optional(),
  description: z.string().max(bounds.chars).optional(),
  nullable: z.boolean().optional(),
  default: json.optional(),
}
const count = z.int().min(0)
const limits = { minLength: count.optional(), maxLength: count.optional() }
const choice = z.strictObject({
  value: z.union([z.string().max(bounds.chars), z.number(), z.boolean()]),
  title: z.string().max(200).optional(),
})

const shapes = [
  {
    type: z.literal('text'),
    ...limits,
    format: z.enum(['textarea', 'markdown']).optional(),
    pattern: z.string().optional(),
  },
  {
    type: z.literal('number'),
    isInteger: z.boolean().optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
  },
  { type: z.literal('boolean') },
  { type: z.literal('date'), hasTime: z.boolean().optional() },
  {
    type: z.literal('enum'),
    choices: z.array(choice).min(1).max(bounds.choices),
    isMultiple: z.boolean().optional(),
  },
  { type: z.enum(['url', 'email']), ...limits },
  { type: z.literal('phone') },
  { type: z.literal('media'), mediaType: z.string().max(200).optional() },
  {
    type: z.literal('relation'),
    entityType: z.string().min(1).max(200),
    select: z.string().max(200).optional(),
  },
  {
    type: z.literal('object'),
    fields: z.array(z.lazy(() => fieldSchema)).max(bounds.fields),
    isOpen: z.boolean().optional(),
  },
  {
    type: z.literal('array'),
    item: z.lazy(() => fieldShape),
    minItems: count.optional(),
    maxItems: count.optional(),
  },
  { type: z.literal('json'), schema },
]

const fieldShape: z.ZodType<FieldShape> = z.union(
  shapes.map((shape) => z.strictObject({ ...shape, ...facts })),
)

/** One field of a form that is made in the console. */
export const fieldSchema: z.ZodType<Field> = z.union(
  shapes.map((shape) =>
    z.strictObject({
      ...shape,
      ...facts,
      key: z.string().min(1).max(200),
      isRequired: z.boolean(),
    }),
  ),
)
