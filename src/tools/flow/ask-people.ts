import { z } from 'zod'
import { defineTool } from '../../core/define-tool.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import { isRecord } from '../../core/kernel/json/json-type.ts'

const thirtyDaysMs = 2_592_000_000
// Any JSON, because compositions write the form of a question as it is.
const json = z.unknown() as z.ZodType<JsonValue>
const jsonObject = z.record(z.string(), json)
/** An object, or its JSON text: strict schemas of providers close objects that take any key. */
const objectOrText = z.union([jsonObject, z.string().max(100_000)])

/** Puts a form to people; the call ends with their answer. */
export const askPeople = defineTool({
  name: 'flow.ask',
  title: 'Ask a person',
  description:
    'Ask people a question and wait for the answer, for days if need be. They get a form made from `schema` and one of them answers it; the output is that answer. Without a schema they write one text, and the output is { answer }. Use it for facts, choices and decisions that only a person has. Put all they need into title and text: they do not see this conversation.',
  icon: 'user-question',
  effect: 'write',
  // Begun again after a crash, it finds the question that it had asked.
  idempotent: true,
  openWorld: false,
  execution: 'external',
  completionMs: thirtyDaysMs,
  timeoutMs: 60_000,
  // An answer is never cut to size, because other steps work with it.
  maxOutputBytes: 524_288,
  inputSchema: z.object({
    title: z.string().min(1).max(300).describe('The question, in one line'),
    text: z
      .string()
      .max(20_000)
      .nullable()
      .describe('Background that helps them answer; Markdown (nothing)'),
    schema: objectOrText
      .nullable()
      .describe('JSON Schema of the answer, an object; also as JSON text (one text, `answer`)'),
    form: objectOrText
      .nullable()
      .describe('How the form shows the fields: order, groups, labels, widgets (from the schema)'),
    to: z
      .array(z.string().min(1).max(200))
      .min(1)
      .max(20)
      .nullable()
      .describe(
        'The people who may answer: requester, role:<name>, user:<id or email> (requester)',
      ),
    expiresIn: z
      .string()
      .max(50)
      .nullable()
      .describe('How long they have, such as 2h; less than 30d (7d)'),
    remindEvery: z
      .string()
      .max(50)
      .nullable()
      .describe('Remind them this often, such as 1d (never)'),
    onExpiry: objectOrText
      .nullable()
      .describe('The answer if nobody answers in time (the call fails)'),
  }),
  outputSchema: jsonObject.describe('The answer'),
  examples: [
    {
      label: 'How much to refund',
      input: {
        title: 'How much do we refund for invoice 2041?',
        text: 'The customer paid 120 € and got half of the order.',
        schema: {
          type: 'object',
          properties: {
            amount: { type: 'number', minimum: 0, maximum: 120, title: 'Amount in €' },
            note: { type: 'string', title: 'Note to the customer' },
          },
          required: ['amount'],
        },
        form: null,
        to: ['role:operator'],
        expiresIn: '2d',
        remindEvery: '8h',
        onExpiry: null,
      },
    },
  ],

  preview: ({ title, to }) => ({
    summary: `Asks ${(to ?? ['the caller']).join(', ')}: ${title}`,
    changes: [],
  }),
  async execute(input, { questions }) {
    const { title, text, schema, form, to, expiresIn, remindEvery, onExpiry } = input
    await questions.ask({
      title,
      text: text ?? undefined,
      schema: toObject('schema', schema),
      form: toObject('form', form),
      to: to ?? undefined,
      expiresIn: expiresIn ?? undefined,
      remindEvery: remindEvery ?? undefined,
      onExpiry: toObject('onExpiry', onExpiry),
    })
    return {}
  },
})

type JsonObject = { [key: string]: JsonValue }

function toObject(field: string, given: JsonObject | string | null): JsonObject | undefined {
  if (typeof given !== 'string') return given ?? undefined
  const value = parse(given)
  if (isRecord(value)) return value as JsonObject
  const message = 'must be an object, or the JSON text of one'
  throw new ToolError('invalid_input', `${field} ${message}`, {
    issues: [{ path: `/${field}`, message }],
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
