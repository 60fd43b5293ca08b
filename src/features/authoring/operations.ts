import { ToolError } from '../../core/kernel/errors.ts'
import { pageOf, pageQuery } from '../../core/operations/fields.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import { changeTool, removeTool } from './change-tool.ts'
import { checkSource, refuseInvalid } from './check-source.ts'
import { draftNotFound, dropDraft, findDraft, saveDraft, toDraftSummary } from './drafts.ts'
import { assertAuthoring, assertOwnName } from './find-source.ts'
import { isPublishable } from './model/check-document.ts'
import type { AuthoringParts } from './parts.ts'
import { previewSource } from './preview-source.ts'
import { publishDocument } from './publish.ts'
import { listAuthored, readSource } from './read-source.ts'
import { testTool } from './test-tool.ts'
import {
  authoredQuery,
  authoredTool,
  changedTool,
  createdTool,
  createToolRequest,
  draftRequest,
  draftSummary,
  previewSourceRequest,
  publishedAnswer,
  publishRequest,
  removedTool,
  sourcePreview,
  toolChange,
  toolDraft,
  toolSource,
} from './schemas.ts'

const define = operationsOf<AuthoringParts>('Tools as documents')
const params = { name: 'The name of the tool' }
const needs = 'tools.author'
const one = { params, unknownAs: 'tool_not_found', needs, agents: 'none' } as const

const listAuthoredTools = define({
  http: 'GET /api/v1/authored-tools',
  summary: 'List authored tools and overrides',
  description: 'By name: tools that are documents, then changes to tools of others.',
  needs,
  agents: 'none',
  query: authoredQuery,
  answer: { description: 'A page of them', schema: pageOf(authoredTool) },
  run: (query, { caller, parts }) => listAuthored(caller, query, parts),
})

const createTool = define({
  http: 'POST /api/v1/tools',
  summary: 'Create a tool from a document',
  description:
    'As a draft of your own, or, with `publish`, in force on every node within a second. A name that another tool has is refused (`name_taken`).',
  needs,
  agents: 'none',
  body: createToolRequest,
  answer: { status: 201, description: 'The draft, or the published version', schema: createdTool },
  async run({ document, publish, note }, { caller, parts }) {
    assertAuthoring(parts)
    const checked = await checkSource(caller, document, parts)
    const name = nameIn(document)
    if (name === undefined || (publish && !isPublishable(checked.findings))) {
      throw refuseInvalid(name ?? '(without a name)', checked.findings)
    }
    assertOwnName(name, caller, parts)
    if ((await parts.store.rules.find(caller.tenant, 'tool', name)) !== undefined)
      throw exists(name)
    if (!publish) {
      return { name, draft: await saveDraft(caller, { name, document, revision: 0 }, parts) }
    }
    return { name, published: await publishDocument(caller, { document, note, base: null }, parts) }
  },
})

const findToolSource = define({
  http: 'GET /api/v1/tools/{name}/source',
  summary: 'Read the document of a tool',
  description:
    'The version in force, your draft, who else has one, and all its findings. For a tool of others: the facts that this tenant changed.',
  ...one,
  answer: { description: 'The tool as its authors see it', schema: toolSource },
  run: ({ name }, { caller, parts }) => readSource(caller, name, parts),
})

const listToolDrafts = define({
  http: 'GET /api/v1/tool-drafts',
  summary: 'List drafts of tools',
  description: 'Of all authors, by tool.',
  needs,
  agents: 'none',
  query: pageQuery(100, 1000),
  answer: { description: 'A page of drafts', schema: pageOf(draftSummary) },
  async run(query, { caller, parts }) {
    const page = await parts.store.rules.page(caller.tenant, 'tool-draft', query)
    return { ...page, items: page.items.map((rule) => toDraftSummary(caller, rule)) }
  },
})

const saveToolDraft = define({
  http: 'PUT /api/v1/tools/{name}/draft',
  summary: 'Save your draft of a tool',
  description:
    'Each author has a draft of their own. It may have errors, which are returned; only publishing requires that there are none.',
  ...one,
  body: draftRequest,
  answer: { description: 'The draft with its findings', schema: toolDraft },
  run: (request, { caller, parts }) => saveDraft(caller, request, parts),
})

const deleteToolDraft = define({
  http: 'DELETE /api/v1/tools/{name}/draft',
  summary: 'Delete your draft of a tool',
  ...one,
  run: ({ name }, { caller, parts }) => dropDraft(caller, name, parts),
})

const publishTool = define({
  http: 'POST /api/v1/tools/{name}/publish',
  summary: 'Publish your draft of a tool',
  description:
    'It is in force on every node within a second. Calls that are running end with the version they began with. Refused with `conflict` if the tool has changed since the draft began.',
  ...one,
  body: publishRequest,
  isBodyOptional: true,
  answer: { description: 'The published version', schema: publishedAnswer },
  async run({ name, note, revision }, { caller, parts }) {
    const found = await findDraft(caller, name, parts)
    if (found === undefined) throw draftNotFound(name)
    const { rule, draft } = found
    const publication = {
      document: draft.document,
      note,
      base: draft.from ?? null,
      draft: { revision: revision ?? rule.version },
    }
    return publishDocument(caller, publication, parts)
  },
})

const changeAuthoredTool = define({
  http: 'PATCH /api/v1/tools/{name}',
  summary: 'Enable, disable or override a tool',
  description:
    'For the whole tenant. Facts of a tool of others can be reworded, and made stricter: a higher effect, approval, a shorter timeout. The answer lists its users.',
  ...one,
  body: toolChange,
  answer: { description: 'The tool after the change', schema: changedTool },
  run: (change, { caller, parts }) => changeTool(caller, change, parts),
})

const removeAuthoredTool = define({
  http: 'DELETE /api/v1/tools/{name}',
  summary: 'Remove an authored tool or an override',
  description: 'Its versions stay, and can be restored. Calls that are running end normally.',
  ...one,
  answer: { description: 'What used it', schema: removedTool },
  run: ({ name }, { caller, parts }) => removeTool(caller, { name }, parts),
})

const previewToolSource = define({
  http: 'POST /api/v1/tools/preview-source',
  summary: 'Check a document without keeping it',
  description:
    'All findings, the effect it would have, the difference from the version in force, and which agents would see it or have to ask.',
  needs,
  agents: 'none',
  body: previewSourceRequest,
  answer: { description: 'The findings', schema: sourcePreview },
  run: ({ document }, { caller, parts }) => previewSource(caller, document, parts),
})

/** Everything that can be done with tools as documents, by library method. */
export const authoringOperations = {
  listAuthoredTools,
  createTool,
  findToolSource,
  listToolDrafts,
  saveToolDraft,
  deleteToolDraft,
  publishTool,
  changeAuthoredTool,
  removeAuthoredTool,
  previewToolSource,
  testTool,
}

function nameIn(document: unknown): string | undefined {
  const name = (document as { name?: unknown } | null)?.name
  return typeof name === 'string' && name.length > 0 && name.length <= 100 ? name : undefined
}

function exists(name: string): ToolError {
  return new ToolError('name_taken', `There is already a tool named ${name}`, {
    fix: `Save a draft of it instead: PUT /tools/${name}/draft.`,
    details: { name },
  })
}
