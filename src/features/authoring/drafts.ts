import type { Caller } from '../../core/kernel/call.ts'
import { isSamePrincipal } from '../../core/kernel/caller.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { checkJson } from '../../core/kernel/json/check-json.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import { utf8Length } from '../../core/kernel/text/utf8.ts'
import type { Rule } from '../../core/rules/rule-store.ts'
import { checkSource } from './check-source.ts'
import { assertAuthoring, assertOwnName } from './find-source.ts'
import { documentBounds } from './model/tool-document.ts'
import type { AuthoringParts } from './parts.ts'
import { refuseStale } from './publish.ts'
import { draftName, readDraft, readPublished, type StoredDraft } from './rules.ts'
import type { DraftSummary, ToolDraftView } from './schemas.ts'

interface DraftRequest {
  name: string
  document: unknown
  revision?: number | undefined
  from?: string | undefined
}

/** Saves the caller's draft. It may be wrong in any way, but not larger than a document. */
export async function saveDraft(
  caller: Caller,
  { name, document, revision, from }: DraftRequest,
  parts: AuthoringParts,
): Promise<ToolDraftView> {
  assertAuthoring(parts)
  await parts.ports.readyTools(caller.tenant)
  assertOwnName(name, caller, parts)
  assertKept(name, document)
  const { tenant, principal } = caller
  const key = draftName(name, principal)
  const rule = await parts.store.rules.change(tenant, principal, async (draft) => {
    const known = await draft.find('tool-draft', key)
    refuseStale(known, revision)
    if (known === undefined) {
      const drafts = await draft.list('tool-draft')
      if (drafts.length >= parts.settings.maxTools) throw tooManyDrafts(parts.settings.maxTools)
    }
    // A draft keeps the version it began with, also none: what was published since is a conflict.
    const began = known === undefined ? await inForce(draft, name) : readDraft(known)?.from
    const base = from ?? began
    const body = { document: document as JsonValue, ...(base !== undefined && { from: base }) }
    draft.tell('tool.draft_saved', { tool: name })
    return draft.put('tool-draft', key, { body })
  })
  return toDraftView(caller, rule, parts)
}

export async function dropDraft(
  { tenant, principal }: Caller,
  name: string,
  { store }: Pick<AuthoringParts, 'store'>,
): Promise<void> {
  await store.rules.change(tenant, principal, async (draft) => {
    const isThere = await draft.delete('tool-draft', draftName(name, principal))
    if (!isThere) throw draftNotFound(name)
    draft.tell('tool.draft_dropped', { tool: name })
  })
}

/** The caller's own draft. */
export async function findDraft(
  { tenant, principal }: Caller,
  name: string,
  { store }: Pick<AuthoringParts, 'store'>,
): Promise<{ rule: Rule; draft: StoredDraft } | undefined> {
  const rule = await store.rules.find(tenant, 'tool-draft', draftName(name, principal))
  const draft = rule && readDraft(rule)
  return rule && draft && { rule, draft }
}

/** A draft with everything that is wrong with it now. */
export async function toDraftView(
  caller: Pick<Caller, 'tenant'>,
  rule: Rule,
  parts: AuthoringParts,
): Promise<ToolDraftView> {
  const draft = readDraft(rule)
  const { findings } = await checkSource(caller, draft?.document, parts)
  return {
    ...toFacts(rule),
    document: (draft?.document ?? null) as JsonValue,
    ...(draft?.from !== undefined && { from: draft.from }),
    findings,
  }
}

export function toDraftSummary({ principal }: Caller, rule: Rule): DraftSummary {
  const from = readDraft(rule)?.from
  const isMine = isSamePrincipal(rule.updatedBy, principal)
  return { ...toFacts(rule), ...(from !== undefined && { from }), isMine }
}

function toFacts({ name, version, updatedAt, updatedBy }: Rule) {
  const [tool = ''] = name.split('/', 1)
  return { name: tool, revision: version, savedAt: updatedAt, savedBy: updatedBy }
}

async function inForce(
  draft: { find(kind: 'tool', name: string): Promise<Rule | undefined> },
  name: string,
): Promise<string | undefined> {
  const rule = await draft.find('tool', name)
  return rule && readPublished(rule)?.hash
}

/** A draft is kept under its name, so a document that names another would be published as that. */
function assertKept(name: string, document: unknown): void {
  const issue = checkJson(document, documentBounds.maxDepth)
  if (issue !== undefined) throw refused(`/document${issue.path}`, issue.message)
  const bytes = utf8Length(JSON.stringify(document))
  if (bytes > documentBounds.maxBytes) {
    throw refused('/document', `has ${bytes} bytes; the limit is ${documentBounds.maxBytes}`)
  }
  const named = (document as { name?: unknown } | null)?.name
  if (named !== undefined && named !== name) {
    throw refused('/document/name', `must be ${name}; to rename a tool, create another`)
  }
}

function refused(path: string, message: string): ToolError {
  return new ToolError('invalid_request', `The draft can't be saved: ${path} ${message}`, {
    issues: [{ path, message }],
  })
}

export function draftNotFound(name: string): ToolError {
  return new ToolError('not_found', `You have no draft of ${name}`, {
    fix: 'Save one first: in the studio, with toolcrib tools new or edit, or PUT /tools/{name}/draft.',
  })
}

function tooManyDrafts(most: number): ToolError {
  return new ToolError('quota_exceeded', `This tenant already has ${most} drafts`, {
    fix: 'Publish or delete drafts, or raise authoring.maxTools in the configuration.',
  })
}
