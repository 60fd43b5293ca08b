import { z } from 'zod'
import type { JsonValue } from '../../core/kernel/json.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import { checkSource } from './check-source.ts'
import { draftFromCurl } from './curl/draft-from-curl.ts'
import type { AuthoringParts } from './parts.ts'
import { document, findings } from './schemas.ts'

const define = operationsOf<AuthoringParts>('Tools as documents')

const toolFromRequest = z
  .strictObject({
    curl: z
      .string()
      .min(1)
      .max(200_000)
      .meta({ description: "A cURL command: POSIX shells, $'…' and the Windows command prompt" }),
  })
  .meta({ id: 'ToolFromRequest' })

const toolFrom = z
  .object({
    document,
    secrets: z.array(z.string()).meta({
      description: 'Secrets that it needs. Their values were in the command and are not kept',
    }),
    notes: z.array(z.string()).meta({ description: 'Parts of the command that were left out' }),
    findings,
  })
  .meta({ id: 'ToolFrom' })

const draftToolFrom = define({
  http: 'POST /api/v1/tools/from',
  summary: 'Draft a tool from a cURL command',
  description:
    'Ids and values of the command become inputs, its credentials named secrets. Nothing is kept: create the tool with the document.',
  needs: 'tools.author',
  agents: 'none',
  body: toolFromRequest,
  answer: { description: 'The document, with its findings', schema: toolFrom },
  async run({ curl }, { caller, parts }) {
    const draft = draftFromCurl(curl)
    const checked = await checkSource(caller, draft.document, parts)
    const { document: made, secrets, notes } = draft
    return { document: made as unknown as JsonValue, secrets, notes, findings: checked.findings }
  },
})

/** Tools that are made from something else. */
export const toolFromOperations = { draftToolFrom }
