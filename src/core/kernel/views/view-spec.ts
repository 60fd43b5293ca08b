import { z } from 'zod'
import { fieldsOf } from './section-fields.ts'
import type { SectionFields } from './section-fields.ts'

const text = (max: number) => z.string().trim().min(1).max(max)

/** How a section of an output can be drawn. */
export const viewKinds = [
  'summary',
  'table',
  'chart',
  'radar',
  'ranking',
  'markdown',
  'text',
  'image',
  'audio',
  'json',
  'code',
  'terminal',
  'diff',
  'page',
] as const

/**
 * How a single value is formatted. `percent` is 12.5 for 12.5 %, `fraction` is 0.125; `duration` is
 * in milliseconds.
 */
export const valueFormats = [
  'text',
  'number',
  'integer',
  'percent',
  'fraction',
  'currency',
  'year',
  'date',
  'datetime',
  'duration',
  'bytes',
  'link',
  'markdown',
  'code',
] as const

/** The meaning of a value. Never colour alone: the value itself is shown as the word. */
export const valueTones = ['good', 'caution', 'bad', 'neutral'] as const

const writing = {
  label: text(200).optional(),
  format: z.enum(valueFormats).optional(),
  unit: text(40).optional(),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, { error: 'must be a three-letter code, like EUR' })
    .optional(),
  digits: z.int().min(0).max(10).optional(),
}

const column = z.strictObject({
  key: text(200),
  ...writing,
  align: z.enum(['left', 'right', 'center']).optional(),
  hidden: z.boolean().optional(),
  tones: z.record(z.string().max(200), z.enum(valueTones)).optional(),
})

const chart = z.strictObject({
  kind: z.enum(['line', 'bar', 'radar']).optional(),
  x: text(200).optional(),
  series: z
    .array(z.strictObject({ key: text(200), label: text(200).optional() }))
    .min(1)
    .max(6)
    .optional(),
  isStacked: z.boolean().optional(),
  max: z.number().optional(),
  format: writing.format,
  unit: writing.unit,
  currency: writing.currency,
  digits: writing.digits,
})

const ranking = z.strictObject({
  by: text(200),
  label: text(200).optional(),
  max: z.number().positive().optional(),
})

/** Names are checked together with the type, which decides what they can be. */
const fields = z.record(z.string(), text(200)) as unknown as z.ZodType<SectionFields, SectionFields>

/** `type` is the `kind` of a section of a view. */
function checkFields(
  { type, fields }: { type: string | undefined; fields?: SectionFields | undefined },
  context: z.RefinementCtx,
): void {
  const known: readonly string[] = fieldsOf(type)
  for (const name of Object.keys(fields ?? {})) {
    if (known.includes(name)) continue
    const kind = type ?? 'section without a kind'
    const message =
      known.length === 0
        ? `belongs to code, terminal, diff or page, but this section is a ${kind}`
        : `is not a field of a ${kind}, which has ${known.join(', ')}`
    context.addIssue({ code: 'custom', path: ['fields', name], message })
  }
}

/** One of the `sections` of `defineTool`. */
export const outputSection = z
  .strictObject({
    key: text(200),
    label: text(200),
    type: z.enum([
      'summary',
      'table',
      'chart',
      'radar',
      'ranking',
      'markdown',
      'image',
      'json',
      'code',
      'terminal',
      'diff',
      'page',
    ]),
    fields: fields.optional(),
  })
  .superRefine(checkFields)

const section = z
  .strictObject({
    path: z.string().max(500),
    kind: z.enum(viewKinds).optional(),
    title: text(200).optional(),
    description: text(500).optional(),
    hidden: z.boolean().optional(),
    columns: z.array(column).max(500).optional(),
    chart: chart.optional(),
    ranking: ranking.optional(),
    fields: fields.optional(),
  })
  .superRefine((value, context) => {
    checkFields({ type: value.kind, fields: value.fields }, context)
    for (const { part, kinds } of belongs) {
      const { kind } = value
      if (value[part] === undefined || kind === undefined || kinds.includes(kind)) continue
      const message = `belongs to ${kinds.join(' or ')}, but this section is a ${kind}`
      context.addIssue({ code: 'custom', path: [part], message })
    }
    for (const [index, { key }] of (value.columns ?? []).entries()) {
      const first = value.columns?.findIndex((other) => other.key === key)
      if (first === index) continue
      context.addIssue({
        code: 'custom',
        path: ['columns', index, 'key'],
        message: 'appears twice',
      })
    }
  })

const belongs: { part: 'chart' | 'ranking' | 'columns'; kinds: readonly string[] }[] = [
  { part: 'chart', kinds: ['chart', 'radar'] },
  { part: 'ranking', kinds: ['ranking'] },
  { part: 'columns', kinds: ['summary', 'table', 'chart', 'radar', 'ranking'] },
]

/** The `view` of `defineTool`: how the tool's output is shown to people. */
export const viewSpec = z.strictObject({
  sections: z.array(section).max(50).default([]),
  rest: z.enum(['show', 'hide']).optional(),
})

/**
 * How the output is drawn. A section names a part of it by `path`: a key, a JSON pointer
 * (`/report/rows`), or nothing for the whole. Sections come in this order, then those named in the
 * tool's `sections`, then all other keys, unless `rest` is `hide`.
 */
export type ViewSpec = z.output<typeof viewSpec>
export type ViewSection = ViewSpec['sections'][number]
export type ViewColumn = NonNullable<ViewSection['columns']>[number]
