import type { Principal } from '../../core/kernel/call.ts'
import type { JsonValue } from '../../core/kernel/json.ts'
import type { Page } from '../../core/kernel/page.ts'
import type { RuleDraft } from '../../core/rules/rule-store.ts'

/** Nouns whose documents have versions. */
export type VersionedKind = 'tool' | 'draft'

/** A document at some time, without its content. */
export interface Version {
  name: string
  /** Of its content: the same content has the same hash. */
  hash: string
  /** 1, 2, 3 … of this name. */
  number: number
  note: string | undefined
  createdAt: string
  createdBy: Principal
}

export interface VersionKey {
  name: string
  hash: string
}

/** Inside one change of rules: a version is kept with the rule that names it, or not at all. */
export interface VersionDraft extends RuleDraft {
  /** Keeps a document. One that was kept before is returned as it was, with its number and note. */
  keepVersion(
    kind: VersionedKind,
    name: string,
    given: { body: JsonValue; note?: string | undefined },
  ): Promise<Version>
  findVersion(kind: VersionedKind, key: VersionKey): Promise<Version | undefined>
  /** Keeps the latest versions of this name, and removes the others. */
  dropVersions(kind: VersionedKind, name: string, keep: number): Promise<void>
}

/** Documents as they were, addressed by their content. They are removed with their tenant. */
export interface VersionStore {
  /** Like a change of rules, in one transaction with the versions. */
  change<T>(tenant: string, by: Principal, work: (draft: VersionDraft) => Promise<T>): Promise<T>
  /** The latest first; `after` is a number. */
  list(
    tenant: string,
    of: { kind: VersionedKind; name: string },
    query: { after?: number | undefined; limit: number },
  ): Promise<Page<Version>>
  find(
    tenant: string,
    kind: VersionedKind,
    key: VersionKey,
  ): Promise<(Version & { body: JsonValue }) | undefined>
  /** The contents of many at once, by name; missing ones are left out. One version of each name. */
  readBodies(
    tenant: string,
    kind: VersionedKind,
    keys: readonly VersionKey[],
  ): Promise<ReadonlyMap<string, JsonValue>>
}
