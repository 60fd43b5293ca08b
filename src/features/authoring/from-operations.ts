import { z } from 'zod'
import type { Caller } from '../../core/kernel/call.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import { shortText } from '../../core/operations/fields.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import { checkSource } from './check-source.ts'
import { draftFromCurl } from './curl/draft-from-curl.ts'
import { assertAuthoring, knownTools } from './find-source.ts'
import type { AuthoringParts } from './parts.ts'
import { draftFromRecord } from './record/draft-from-record.ts'
import { readCall, readConversation, readRun } from './record/read-record.ts'
import type { RecordedWork } from './record/recorded-work.ts'
import { document, findings } from './schemas.ts'

const define = operationsOf<AuthoringParts>('Tools as documents')

const marked = z
  .strictObject({
    step: z.string().min(1).max(100).meta({ description: 'The id of the step' }),
    path: z.string().max(1000).meta({ description: 'A JSON pointer into its input: `/text`' }),
    name: shortText('Of the input; by default that of the field').optional(),
  })
  .meta({ id: 'MarkedConstant' })

const sources = ['curl', 'call', 'run', 'conversation'] as const

const toolFromRequest = z
  .strictObject({
    curl: z
      .string()
      .min(1)
      .max(200_000)
      .optional()
      .meta({ description: "A cURL command: POSIX shells, $'…' and the Windows command prompt" }),
    call: shortText(
      'A call: the calls that it made become steps; itself, if it made none',
    ).optional(),
    run: shortText('A run of an agent: its calls become steps').optional(),
    conversation: shortText('A conversation: the calls of all its turns become steps').optional(),
    inputs: z
      .array(marked)
      .max(30)
      .optional()
      .meta({ description: 'Constants of the record to ask for, as `constants` lists them' }),
  })
  .refine((request) => sources.filter((source) => request[source] !== undefined).length === 1, {
    error: 'needs exactly one of curl, call, run and conversation',
  })
  .meta({ id: 'ToolFromRequest' })
type ToolFromRequest = z.output<typeof toolFromRequest>

const constant = z
  .object({
    step: z.string(),
    tool: z.string(),
    path: z.string().meta({ description: 'A JSON pointer into the input of the step' }),
    value: z.union([z.string(), z.number(), z.boolean()]),
  })
  .meta({ id: 'DraftConstant' })

const toolFrom = z
  .object({
    document,
    secrets: z.array(z.string()).meta({
      description: 'Secrets that it needs. Their values were in the command and are not kept',
    }),
    notes: z.array(z.string()).meta({ description: 'Left-out parts, with reasons' }),
    findings,
    constants: z.array(constant).meta({
      description:
        'Of a record: values that stay as they were. Name them in `inputs` to ask for them',
    }),
    replayed: z.int().optional().meta({
      description: 'Of a record: how many inputs of steps were compared with it, and are the same',
    }),
  })
  .meta({ id: 'ToolFrom' })

const draftToolFrom = define({
  http: 'POST /api/v1/tools/from',
  summary: 'Draft a tool from a cURL command, or from calls on record',
  description:
    'Of a command, ids and values become inputs, its credentials named secrets. Of a record, the calls that led to the result become the steps of a composition: values from earlier outputs become references, those that people named become inputs, and the draft is replayed against the record. Values that the record hides become inputs. Nothing is kept: create the tool with the document.',
  needs: 'tools.author',
  agents: 'none',
  body: toolFromRequest,
  answer: { description: 'The document, with its findings', schema: toolFrom },
  refusals: { 409: 'The call, run or conversation has not ended' },
  async run(request, { caller, parts }) {
    assertAuthoring(parts)
    const made = await draftFrom(request, caller, parts)
    const checked = await checkSource(caller, made.document, parts)
    return {
      secrets: [],
      constants: [],
      ...made,
      document: made.document as unknown as JsonValue,
      findings: [...(made.findings ?? []), ...checked.findings],
    }
  },
})

async function draftFrom(
  { curl, inputs, ...from }: ToolFromRequest,
  caller: Caller,
  parts: AuthoringParts,
) {
  if (curl !== undefined) return { ...draftFromCurl(curl), findings: [] }
  await parts.ports.readyTools(caller.tenant)
  const known = knownTools(parts, caller.tenant)
  const reserved = parts.reserved()
  const names = {
    isReserved: (pack: string) => reserved.has(pack),
    isTaken: (name: string) => parts.registry.find(name, caller.tenant) !== undefined,
  }
  const work = await readWork(from, caller, parts)
  return draftFromRecord(work, { known, ...names, ...(inputs !== undefined && { marks: inputs }) })
}

function readWork(
  { call, run, conversation = '' }: Pick<ToolFromRequest, 'call' | 'run' | 'conversation'>,
  caller: Caller,
  { records }: AuthoringParts,
): Promise<RecordedWork> {
  if (call !== undefined) return readCall(caller, call, records)
  return run === undefined
    ? readConversation(caller, conversation, records)
    : readRun(caller, run, records)
}

/** Tools that are made from something else. */
export const toolFromOperations = { draftToolFrom }
