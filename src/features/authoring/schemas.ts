import { z } from 'zod'
import { jsonValue, pageQuery, principal, shortText, time } from '../../core/operations/fields.ts'
import { searchedWords } from '../../core/operations/query-fields.ts'
import { toolSources } from '../../core/tools/tool-listing.ts'
import { overrideSpec } from './model/override.ts'

const hash = z
  .string()
  .meta({ description: 'Of its content: 12 hex digits', example: '0f3a9c21be44' })

export const toolFinding = z
  .object({
    path: z.string().meta({ description: 'JSON pointer into the document' }),
    message: z.string(),
    fix: z.string().optional(),
    severity: z.enum(['error', 'warning']).meta({ description: 'Errors prevent publishing' }),
  })
  .meta({ id: 'ToolFinding' })

export const findings = z.array(toolFinding).readonly()

/** Any JSON, so that all problems can be reported at once. */
export const document = jsonValue.meta({
  description: 'The tool as a document: the facts of `defineTool`, its schemas, and `spec`',
})

const note = shortText('Why it changes, for the list of versions')

export const toolVersion = z
  .object({
    name: z.string(),
    hash,
    number: z.int().meta({ description: '1, 2, 3 … of this tool' }),
    note: z.string().optional(),
    createdAt: time,
    createdBy: principal,
    isInForce: z.boolean(),
  })
  .meta({ id: 'ToolVersion' })
export type ToolVersionView = z.output<typeof toolVersion>

export const toolVersionDetail = toolVersion.extend({ document }).meta({ id: 'ToolVersionDetail' })

export const toolDraft = z
  .object({
    name: z.string(),
    document,
    revision: z.int().meta({ description: 'Pass it back to change only this revision' }),
    from: hash.optional().meta({ description: 'The published version that it began with' }),
    findings,
    savedAt: time,
    savedBy: principal,
  })
  .meta({ id: 'ToolDraft' })
export type ToolDraftView = z.output<typeof toolDraft>

export const draftSummary = toolDraft
  .omit({ document: true, findings: true })
  .extend({ isMine: z.boolean() })
  .meta({ id: 'ToolDraftSummary' })
export type DraftSummary = z.output<typeof draftSummary>

const usedBy = z
  .object({
    tools: z.array(z.string()),
    agents: z.array(z.string()),
    schedules: z.array(z.string()).meta({ description: 'Their names; a hundred at most' }),
  })
  .meta({ description: 'Tools that call it, agents that name it, and schedules that run it' })
export type UsedBy = z.output<typeof usedBy>

/** An authored tool, or the override of a tool of others. */
export const authoredTool = z
  .object({
    name: z.string(),
    title: z.string().optional(),
    kind: z.string().meta({ description: 'The kind of its spec; `override` for a tool of others' }),
    isEnabled: z.boolean(),
    hash: hash.optional(),
    number: z.int().optional(),
    problem: z.string().optional().meta({ description: 'Why it cannot be used' }),
    updatedAt: time,
    updatedBy: principal,
  })
  .meta({ id: 'AuthoredTool' })
export type AuthoredTool = z.output<typeof authoredTool>

/** Everything that its authors see of one tool. */
export const toolSource = z
  .object({
    name: z.string(),
    source: z
      .enum([...toolSources, 'draft'])
      .meta({ description: 'Where it is defined; `draft` before it is published' }),
    document: document.optional().meta({ description: 'Of the version in force' }),
    version: toolVersion.optional(),
    isEnabled: z.boolean(),
    override: overrideSpec.optional(),
    draft: toolDraft.optional().meta({ description: 'Your own draft' }),
    drafts: z.array(draftSummary).meta({ description: 'All drafts' }),
    findings,
    usedBy,
  })
  .meta({ id: 'ToolSource' })
export type ToolSourceView = z.output<typeof toolSource>

const sight = z
  .object({
    agents: z.int().meta({ description: 'How many agents were asked about' }),
    sees: z.array(z.string()).meta({ description: 'Agents that could call it' }),
    asks: z.array(z.string()).meta({ description: 'Those of them that need approval' }),
    isPartial: z.boolean().meta({ description: 'There are more agents' }),
  })
  .meta({ id: 'AgentSight', description: 'The agents that would see it, by the policy in force' })
export type AgentSight = z.output<typeof sight>

export const sourcePreview = z
  .object({
    findings,
    isPublishable: z.boolean(),
    effect: z.enum(['read', 'write', 'destructive']).optional(),
    secrets: z.array(z.string()).optional().meta({ description: 'Secrets that it needs' }),
    sight: sight.optional(),
    hash: hash.optional(),
    diff: z.string().optional().meta({ description: 'Against the version in force' }),
  })
  .meta({ id: 'ToolSourcePreview' })
export type SourcePreview = z.output<typeof sourcePreview>

export const publishedAnswer = z
  .object({
    name: z.string(),
    version: toolVersion,
    isNew: z.boolean().meta({ description: 'False: this content is in force already' }),
    findings,
    sight: sight.optional(),
  })
  .meta({ id: 'PublishedTool' })
export type PublishedAnswer = z.output<typeof publishedAnswer>

export const createToolRequest = z
  .strictObject({
    document,
    publish: z.boolean().default(false).meta({ description: 'Publish it at once' }),
    note: note.optional(),
  })
  .meta({ id: 'CreateToolRequest' })

export const createdTool = z
  .object({
    name: z.string(),
    draft: toolDraft.optional(),
    published: publishedAnswer.optional(),
  })
  .meta({ id: 'CreatedTool' })
export type CreatedTool = z.output<typeof createdTool>

const revision = z
  .int()
  .min(0)
  .optional()
  .meta({ description: 'Only if the draft still has this revision; 0: only if there is none' })

export const draftRequest = z
  .strictObject({
    document,
    revision,
    from: shortText('The published version that this draft is based on').optional(),
  })
  .meta({ id: 'ToolDraftRequest' })

export const publishRequest = z
  .strictObject({ note: note.optional(), revision })
  .meta({ id: 'PublishToolRequest' })

export const toolChange = z
  .strictObject({
    isEnabled: z.boolean().optional().meta({ description: 'False: nobody can call it' }),
    override: overrideSpec
      .omit({ isEnabled: true })
      .nullable()
      .optional()
      .meta({ description: 'For a tool of others: all facts that differ; null removes them' }),
  })
  .refine(({ isEnabled, override }) => isEnabled !== undefined || override !== undefined, {
    error: 'changes nothing; give isEnabled or override',
  })
  .meta({ id: 'ToolChange' })
export type ToolChange = z.output<typeof toolChange>

export const changedTool = z
  .object({
    name: z.string(),
    isEnabled: z.boolean(),
    override: overrideSpec.optional(),
    usedBy,
  })
  .meta({ id: 'ChangedTool' })
export type ChangedTool = z.output<typeof changedTool>

export const removedTool = z.object({ name: z.string(), usedBy }).meta({ id: 'RemovedTool' })

export const previewSourceRequest = z
  .strictObject({ document })
  .meta({ id: 'PreviewSourceRequest' })

export const authoredQuery = pageQuery(100, 1000).extend({
  q: searchedWords('Words in the name, title or description'),
})

export const versionQuery = z.strictObject({
  after: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .meta({ description: 'Page on below this number' }),
  limit: pageQuery(50, 500).shape.limit,
})
