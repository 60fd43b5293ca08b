import type { Caller } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import type { Rule } from '../../core/rules/rule-store.ts'
import type { Version, VersionDraft } from '../versions/version-store.ts'
import { checkSource, refuseInvalid } from './check-source.ts'
import { assertAuthoring, assertOwnName } from './find-source.ts'
import { isPublishable } from './model/check-document.ts'
import type { ToolDocument } from './model/tool-document.ts'
import type { AuthoringParts } from './parts.ts'
import { draftName, readPublished, type PublishedTool } from './rules.ts'
import type { PublishedAnswer, ToolVersionView } from './schemas.ts'
import { simulateSight } from './simulate-sight.ts'

export interface Publication {
  document: unknown
  note?: string | undefined
  /** The version it was made from: refused if another is in force. `null`: there must be none. */
  base?: string | null | undefined
  /** The draft that is published and must still have this revision. */
  draft?: { revision: number } | undefined
  isRestored?: true
}

/** Puts a document in force, on every node within a second. Identical content makes no version. */
export async function publishDocument(
  caller: Caller,
  publication: Publication,
  parts: AuthoringParts,
): Promise<PublishedAnswer> {
  assertAuthoring(parts)
  const checked = await checkSource(caller, publication.document, parts)
  const { document, tool, findings } = checked
  const named = (publication.document as { name?: unknown } | null)?.name
  if (document === undefined || tool === undefined || !isPublishable(findings)) {
    throw refuseInvalid(typeof named === 'string' ? named : '(without a name)', findings)
  }
  assertOwnName(document.name, caller, parts)
  const given = publication.document as ToolDocument
  const written = await parts.versions.change(caller.tenant, caller.principal, (draft) =>
    write(draft, { caller, document: given, publication }, parts),
  )
  await parts.rules.refresh()
  const sight = await simulateSight(caller, tool, parts)
  const { version, isNew } = written
  return {
    name: document.name,
    version: toVersionView(version, version.hash),
    isNew,
    findings,
    sight,
  }
}

/** A version for the doors. */
export function toVersionView(version: Version, inForce: string | undefined): ToolVersionView {
  const { note, ...facts } = version
  return { ...facts, ...(note !== undefined && { note }), isInForce: version.hash === inForce }
}

interface Writing {
  caller: Caller
  document: ToolDocument
  publication: Publication
}

async function write(
  draft: VersionDraft,
  { caller, document, publication }: Writing,
  { settings }: Pick<AuthoringParts, 'settings'>,
): Promise<{ version: Version; isNew: boolean }> {
  const { name } = document
  const { note, base } = publication
  const rule = await draft.find('tool', name)
  const before = rule && readPublished(rule)
  assertBase(name, before?.hash, base)
  const all = rule === undefined ? (await draft.list('tool')).length : 0
  if (all >= Math.max(1, settings.maxTools)) throw tooManyTools(settings.maxTools)
  await endDraft(draft, caller, { name, publication })
  const body = document as unknown as JsonValue
  const version = await draft.keepVersion('tool', name, { body, note })
  if (before?.hash === version.hash) return { version, isNew: false }
  await draft.put('tool', name, { body: toRuleBody(document, version, before) })
  draft.tell('tool.published', {
    tool: name,
    version: version.hash,
    number: version.number,
    ...(before !== undefined && { before: before.hash }),
    ...(note !== undefined && { note }),
    ...(publication.isRestored && { isRestored: true as const }),
  })
  return { version, isNew: true }
}

/** A disabled tool stays disabled: publishing is no way around that. */
function toRuleBody(
  { title, description, spec }: ToolDocument,
  { hash, number }: Version,
  before: PublishedTool | undefined,
): JsonValue {
  return {
    hash,
    number,
    isEnabled: before?.isEnabled ?? true,
    ...(title !== undefined && { title }),
    description,
    kind: spec.kind,
  }
}

function assertBase(
  name: string,
  inForce: string | undefined,
  base: string | null | undefined,
): void {
  if (base === undefined || (base ?? undefined) === inForce) return
  if (base === null) {
    throw new ToolError('name_taken', `There is already a tool named ${name}`, {
      fix: 'Choose another name, or save a draft of that tool.',
      details: { name, version: inForce },
    })
  }
  throw new ToolError('conflict', `${name} has changed since this draft began`, {
    fix: 'Compare with the version in force, then save the draft from that version.',
    details: { version: inForce },
  })
}

async function endDraft(
  draft: VersionDraft,
  { principal }: Caller,
  { name, publication }: { name: string; publication: Publication },
): Promise<void> {
  if (publication.draft === undefined) return
  const key = draftName(name, principal)
  refuseStale(await draft.find('tool-draft', key), publication.draft.revision)
  await draft.delete('tool-draft', key)
}

/** Throws `conflict` unless the draft has this revision; 0 means that there is none. */
export function refuseStale(rule: Rule | undefined, revision: number | undefined): void {
  const current = rule?.version ?? 0
  if (revision === undefined || revision === current) return
  throw new ToolError('conflict', `The draft has changed: it now has revision ${current}`, {
    fix: 'Read it again, then change that revision.',
    details: { revision: current },
  })
}

function tooManyTools(most: number): ToolError {
  return new ToolError('quota_exceeded', `This tenant already has ${most} authored tools`, {
    fix: 'Remove tools you do not need, or raise authoring.maxTools in the configuration.',
  })
}
