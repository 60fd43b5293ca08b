import type { Caller } from '../../../core/kernel/call.ts'
import type { JsonValue } from '../../../core/kernel/json.ts'
import type { RuleDraft } from '../../../core/rules/rule-store.ts'
import { judgeOperations } from '../judge-operations.ts'
import { type ApiListing, type ListedOperation, readListing } from '../listing.ts'
import type { ReadApi, ReadOperation } from '../model.ts'
import { type ApiParts, changeApis } from '../parts.ts'
import { type ApiSpec, secretsOf } from '../spec.ts'

/** The differences from the previously read document. */
export interface DocumentChanges {
  added: string[]
  changed: string[]
  removed: string[]
}

/** An operation as a listing has it. */
export function toListed({ hash, definition, hasHidden }: ReadOperation): ListedOperation {
  const { name, method, path, title, tags, findings, fault } = definition
  return {
    name,
    hash,
    method,
    path: path.slice(0, 500),
    title,
    tags,
    findings,
    ...(fault !== undefined && { fault }),
    ...(hasHidden === true && { hasHidden }),
  }
}

/** Definitions that a reading on another node has just kept must not be dropped before it is done. */
const keptForMs = 3_600_000

interface Keeping {
  caller: Pick<Caller, 'tenant' | 'principal'>
  name: string
  api: ReadApi
  /** The settings that decide about its operations, and what else changes in the same transaction. */
  prepare(draft: RuleDraft): Promise<ApiSpec>
}

/** Stores what was read: definitions first, then, at once, the listing that refers to them. */
export async function keepListing(parts: ApiParts, keeping: Keeping): Promise<DocumentChanges> {
  const { caller, name, api } = keeping
  const listed = api.operations.map(toListed)
  const key = { tenant: caller.tenant, api: name }
  await parts.definitions.keep(key, api.operations)
  const { changes, used } = await changeApis(parts, caller, async (draft) => {
    const spec = await keeping.prepare(draft)
    const rule = await draft.find('api-tools', name)
    const before = readListing(rule)
    const listing = toListing({ ...api, listed }, spec, {
      before,
      readAt: new Date(parts.now()).toISOString(),
    })
    await draft.put('api-tools', name, { body: listing as unknown as JsonValue })
    const changes = compare(before?.operations ?? [], listed)
    draft.tell('api.listed', {
      api: name,
      operations: listed.length,
      added: changes.added.length,
      changed: changes.changed.length,
      removed: changes.removed.length,
    })
    tellQuarantined(draft, { name, listing, before, spec })
    return { changes, used: hashesIn(listing) }
  })
  await parts.definitions.drop(key, used, parts.now() - keptForMs)
  return changes
}

function toListing(
  { hash, facts, listed }: Omit<ReadApi, 'operations'> & { listed: ListedOperation[] },
  spec: ApiSpec,
  { before, readAt }: { before: ApiListing | undefined; readAt: string },
): ApiListing {
  const pins = { ...before?.pins }
  const listing = { document: hash, readAt, facts, operations: listed, pins }
  for (const operation of judgeOperations(listing, spec)) {
    if (operation.isNew) pins[operation.name] = { hash: operation.hash }
  }
  return listing
}

function compare(
  before: readonly ListedOperation[],
  after: readonly ListedOperation[],
): DocumentChanges {
  const earlier = new Map(before.map(({ name, hash }) => [name, hash]))
  const names = new Set(after.map(({ name }) => name))
  return {
    added: after.filter(({ name }) => !earlier.has(name)).map(({ name }) => name),
    changed: after
      .filter(({ name, hash }) => earlier.has(name) && earlier.get(name) !== hash)
      .map(({ name }) => name),
    removed: before.filter(({ name }) => !names.has(name)).map(({ name }) => name),
  }
}

/** More of one document than this would flood the log. */
const mostEvents = 200

function tellQuarantined(
  draft: RuleDraft,
  state: { name: string; listing: ApiListing; before: ApiListing | undefined; spec: ApiSpec },
): void {
  const { name, listing, before, spec } = state
  const earlier = new Map(
    (before ? judgeOperations(before, spec) : []).map((one) => [one.name, one.reason]),
  )
  const fresh = judgeOperations(listing, spec).filter(
    (one) => one.state === 'quarantined' && earlier.get(one.name) !== one.reason,
  )
  for (const { name: tool, reason = '' } of fresh.slice(0, mostEvents)) {
    draft.tell('api.tool_quarantined', { api: name, tool, reason })
  }
}

/** Everything that a listing refers to: what the document has now, and what was accepted. */
export function hashesIn({ operations, pins }: ApiListing): Set<string> {
  const accepted = Object.values(pins).flatMap(({ hash }) => (hash === undefined ? [] : [hash]))
  return new Set([...operations.map(({ hash }) => hash), ...accepted])
}

/** The facts of settings for events: where it is, and the names of secrets, never a value. */
export function toFacts(spec: ApiSpec) {
  const { url, server, enabled } = spec
  const secrets = secretsOf(spec)
  return {
    ...(url !== undefined && { url: new URL(url).origin + new URL(url).pathname }),
    ...(server !== undefined && { server }),
    ...(secrets.length > 0 && { secrets }),
    enabled,
  }
}
