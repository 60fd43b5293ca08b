import type { Principal } from '../kernel/call.ts'
import type { EventType } from '../events/event.ts'
import type { JsonValue } from '../kernel/json.ts'
import type { ListQuery, Page } from '../kernel/page.ts'

/**
 * What operators decide, each kept as one document under a name within its tenant.
 *
 * | kind | name | document |
 * |---|---|---|
 * | agent | slug | the agent as configuration would declare it |
 * | grants | slug of the agent | its grants beside those of the agent's own document |
 * | policy | `tenant` | the tenant's level |
 * | provider | provider of a model | the level for agents on its models |
 * | profile, group | its name | patterns |
 * | pack | its name | switched on or off |
 * | skill | its name | what is installed: versions, required tools, permissions |
 * | enabled-skill | `<agent>/<skill>` | the pinned version |
 * | label | pattern of tools | what they read and what they affect |
 * | limit | its name | of whom, and how much |
 * | mcp-server | its name | how it is reached, and what it may use |
 * | mcp-pin | `<server>/<tool>` | what of a tool was accepted |
 */
export const ruleKinds = [
  'agent',
  'grants',
  'policy',
  'provider',
  'profile',
  'group',
  'pack',
  'skill',
  'enabled-skill',
  'label',
  'limit',
  'mcp-server',
  'mcp-pin',
] as const

export type RuleKind = (typeof ruleKinds)[number]

/** One document with who wrote it. */
export interface Rule {
  tenant: string
  kind: RuleKind
  name: string
  body: JsonValue
  /** Configuration declares it: it is written anew at every start and can't be changed elsewhere. */
  isDeclared: boolean
  /** Counts up with every change. */
  version: number
  updatedAt: string
  updatedBy: Principal
}

/** Inside one change: what is read here stays as it is until the change is made. */
export interface RuleDraft {
  find(kind: RuleKind, name: string): Promise<Rule | undefined>
  list(kind: RuleKind): Promise<Rule[]>
  /** Writes it, new or again. */
  put(kind: RuleKind, name: string, rule: { body: JsonValue; isDeclared?: boolean }): Promise<Rule>
  /** Writes those of these names that are not there yet, in one go; the others stay as they are. */
  putNew(kind: RuleKind, bodies: ReadonlyMap<string, JsonValue>): Promise<void>
  /** False when there was none. */
  delete(kind: RuleKind, name: string): Promise<boolean>
  /** All whose names begin so. */
  deleteUnder(kind: RuleKind, prefix: string): Promise<void>
  /** An event of this change: neither is there without the other. */
  tell(type: EventType, data: JsonValue): void
}

/** Which tenants to look at again. */
export interface RuleChanges {
  /** To be given back the next time. */
  mark: string
  /** Where rules, secrets, members or the tenant itself have changed since the mark; perhaps more. */
  tenants: readonly string[]
}

/** The rules of tenants, and word of every change that bears on what a caller may do. */
export interface RuleStore {
  /** All of these kinds, by kind and name. */
  read(tenant: string, kinds: readonly RuleKind[]): Promise<Rule[]>
  /** All of this kind whose names begin so, by name. */
  readUnder(tenant: string, kind: RuleKind, prefix: string): Promise<Rule[]>
  /** A mark for each of them, which is another one whenever it was written; much less to read. */
  marksUnder(tenant: string, kind: RuleKind, prefix: string): Promise<ReadonlyMap<string, string>>
  /** By name; with `q`, those whose name, title or description has all of its words. */
  page(tenant: string, kind: RuleKind, query: ListQuery): Promise<Page<Rule>>
  find(tenant: string, kind: RuleKind, name: string): Promise<Rule | undefined>
  /**
   * Reads and writes in one transaction; changes of one tenant take turns. What `work` throws undoes
   * it. Inside, nothing else of the store may be waited for: an embedded store would wait for itself.
   */
  change<T>(tenant: string, by: Principal, work: (draft: RuleDraft) => Promise<T>): Promise<T>
  /** Without a mark: the mark of now, and no tenants. */
  changes(mark?: string): Promise<RuleChanges>
  /** Told that there may be changes; says nothing about which. Returns the way to stop. */
  watch(listener: () => void): () => void
}
