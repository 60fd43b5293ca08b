import type { Caller } from '../../core/kernel/call.ts'
import type { Page } from '../../core/kernel/page.ts'
import type { RegisteredTool } from '../../core/registry.ts'
import type { Rule } from '../../core/rules/rule-store.ts'
import { toolsOf } from '../../core/rules/tools-of.ts'
import { readState } from './change-tool.ts'
import { checkSource } from './check-source.ts'
import { findDraft, toDraftSummary, toDraftView } from './drafts.ts'
import { findUses, toolNotFound } from './find-source.ts'
import type { AuthoringParts } from './parts.ts'
import { toVersionView } from './publish.ts'
import { draftPrefix, readPublished } from './rules.ts'
import type { AuthoredTool, ToolSourceView } from './schemas.ts'

/** A tool as its authors see it: its document, drafts and changes. */
export async function readSource(
  caller: Caller,
  name: string,
  parts: AuthoringParts,
): Promise<ToolSourceView> {
  const { tenant } = caller
  await parts.ports.readyTools(tenant)
  const rule = await parts.store.rules.find(tenant, 'tool', name)
  const mine = await findDraft(caller, name, parts)
  const drafts = await parts.store.rules.readUnder(tenant, 'tool-draft', draftPrefix(name))
  const entry = toolsOf(parts.registry, tenant).find(name)
  const isThere = entry?.contract.name === name
  if (rule === undefined && drafts.length === 0 && !isThere) throw toolNotFound(name)
  const published = await readVersion(caller, rule, parts)
  // A file of the same name comes before a published document.
  const isOther = isThere && entry.contract.source !== 'authored'
  const own = rule === undefined ? 'draft' : 'authored'
  return {
    name,
    source: isOther ? entry.contract.source : own,
    ...published,
    ...(await readState(tenant, name, parts)),
    ...(mine !== undefined && { draft: await toDraftView(caller, mine.rule, parts) }),
    drafts: drafts.map((draft) => toDraftSummary(caller, draft)),
    usedBy: await findUses(tenant, name, parts),
  }
}

async function readVersion(
  caller: Caller,
  rule: Rule | undefined,
  parts: AuthoringParts,
): Promise<Pick<ToolSourceView, 'document' | 'version' | 'findings'>> {
  const hash = rule && readPublished(rule)?.hash
  if (rule === undefined || hash === undefined) return { findings: [] }
  const { name } = rule
  const version = await parts.versions.find(caller.tenant, 'tool', { name, hash })
  if (version === undefined) return { findings: [] }
  const { body: document, ...facts } = version
  const { findings } = await checkSource(caller, document, parts)
  return { document, version: toVersionView(facts, hash), findings }
}

interface AuthoredQuery {
  after?: string | undefined
  limit: number
  q?: string | undefined
}

/** Authored tools first, then overrides; the cursor of an override has a prefix. */
export async function listAuthored(
  { tenant }: Caller,
  { after, limit, q }: AuthoredQuery,
  parts: AuthoringParts,
): Promise<Page<AuthoredTool>> {
  await parts.ports.readyTools(tenant)
  const words = q === undefined ? {} : { q }
  const inOverrides = after?.startsWith('override:') === true
  const from = inOverrides ? undefined : after
  const tools = inOverrides
    ? { items: [] }
    : await parts.store.rules.page(tenant, 'tool', { ...words, after: from, limit })
  const items = tools.items.map((rule) => toAuthored(tenant, rule, parts))
  if (tools.next !== undefined) return { items, next: tools.next }
  const left = limit - items.length
  if (left === 0) return { items, next: 'override:' }
  const start = inOverrides ? after.slice('override:'.length) : ''
  const page = { ...words, ...(start !== '' && { after: start }), limit: left }
  const overrides = await parts.store.rules.page(tenant, 'override', page)
  const all = [...items, ...overrides.items.map(toOverride)]
  return overrides.next === undefined
    ? { items: all }
    : { items: all, next: `override:${overrides.next}` }
}

function toAuthored(tenant: string, rule: Rule, { registry }: AuthoringParts): AuthoredTool {
  const { name, updatedAt, updatedBy } = rule
  const published = readPublished(rule)
  const entry = registry.find(name, tenant)
  const { title, kind = 'unknown', hash, number, isEnabled = true } = published ?? {}
  const problem = findProblem(entry, isEnabled)
  return {
    name,
    ...(title !== undefined && { title }),
    kind,
    isEnabled,
    ...(published !== undefined && { hash, number }),
    ...(problem !== undefined && { problem }),
    updatedAt,
    updatedBy,
  }
}

function findProblem(entry: RegisteredTool | undefined, isEnabled: boolean): string | undefined {
  if (entry === undefined) return undefined
  if (entry.contract.source !== 'authored') return 'a tool of another source has its name now'
  return isEnabled ? entry.quarantine : undefined
}

function toOverride({ name, body, updatedAt, updatedBy }: Rule): AuthoredTool {
  const isEnabled = (body as { isEnabled?: unknown } | null)?.isEnabled !== false
  return { name, kind: 'override', isEnabled, updatedAt, updatedBy }
}
