import { z } from 'zod'
import type { JsonValue } from '../../core/kernel/json.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import { decideOperation, decideOperations, listOperations } from './manage/decide-operations.ts'
import type { ApiParts } from './parts.ts'
import { draftOwnTool } from './manage/own-tool.ts'
import { apiReview, apiTool, ownTool } from './schemas.ts'

const define = operationsOf<ApiParts>('APIs')
const params = { name: 'The name of the API' }
const ofTool = {
  ...params,
  tool: { description: 'The operation, the last part of its tool’s name', maxChars: 200 },
}
const needs = 'tools.approve'
const agents = 'none'

const listApiTools = define({
  http: 'GET /api/v1/apis/{name}/tools',
  summary: 'List the operations of an API, with why some are not in use',
  description: 'A quarantined one is listed with its differences from the accepted definition.',
  needs: { oneOf: ['apis.manage', 'tools.approve', 'policy.read'] },
  agents,
  params,
  answer: { description: 'Its operations', schema: z.object({ items: z.array(apiTool) }) },
  async run({ name }, { caller, parts }) {
    return { items: await listOperations(parts, caller, name) }
  },
})

function decideOn(verdict: 'accept' | 'reject', summary: string) {
  return define({
    http: `POST /api/v1/apis/{name}/tools/{tool}/${verdict}`,
    summary,
    needs,
    agents,
    params: ofTool,
    body: apiReview.decision,
    answer: { description: 'The operation', schema: apiTool },
    refusals: { 409: 'The operation has changed again: review it once more' },
    run: ({ name, tool, hash }, { caller, parts }) =>
      decideOperation(parts, caller, { name, tool, hash, verdict }),
  })
}

const acceptApiTool = decideOn('accept', 'Accept an operation as it is now')
const rejectApiTool = decideOn('reject', 'Quarantine an operation until someone accepts it')

const decideApiTools = define({
  http: 'POST /api/v1/apis/{name}/tools/decisions',
  summary: 'Accept and reject many operations',
  description:
    'Each as it was reviewed: one that has changed again, or no longer exists, is not changed but reported, and does not affect the others. Repeating the request is safe.',
  needs,
  agents,
  params,
  body: apiReview.decisions,
  answer: {
    description: 'The result for each, in the order of the request',
    schema: z.object({ items: z.array(apiReview.decided) }),
  },
  async run({ name, decisions }, { caller, parts }) {
    return { items: await decideOperations(parts, caller, { name, decisions }) }
  },
})

const draftApiTool = define({
  http: 'POST /api/v1/apis/{name}/tools/{tool}/document',
  summary: 'Turn an operation into a document of your own',
  description:
    'An HTTP tool that sends the same request, to be changed freely. The imported operation stays as it is. Nothing is kept: create the tool with the document.',
  needs: 'tools.author',
  agents,
  params: ofTool,
  answer: { description: 'The document, with the parts it cannot express', schema: ownTool },
  refusals: { 409: 'It is in quarantine, or the address of the API is not known' },
  async run({ name, tool }, { caller, parts }) {
    const { document, findings } = await draftOwnTool(parts, caller, { name, tool })
    return { document: document as unknown as JsonValue, findings }
  },
})

/** Operations of APIs and their reviews, by library method. */
export const apiToolOperations = {
  listApiTools,
  acceptApiTool,
  rejectApiTool,
  decideApiTools,
  draftApiTool,
}
