import type { Principal } from '../kernel/call.ts'
import type { EventPayloads, EventType } from '../events/event.ts'
import type { JsonValue } from '../kernel/json.ts'
import type { ListQuery, Page } from '../kernel/page.ts'

/**
 * The decisions of operators, each stored as one document with a name within its tenant.
 *
 * | kind | name | document | |---|---|---| | agent | slug | the agent as configuration would
 * declare it | | grants | slug of the agent | its grants beside those of the agent's own document |
 * | policy | `tenant` | the tenant's level | | provider | provider of a model | the level for
 * agents on its models | | profile, group | its name | patterns | | pack | its name | enabled or
 * disabled | | skill | its name | what is installed: versions, required tools, permissions | |
 * enabled-skill | `<agent>/<skill>` | the pinned version | | label | pattern of tools | the data
 * they read and their effects | | limit | its name | the subjects and the amounts | | mcp-server |
 * its name | how to reach it, and what it may use | | mcp-pin | `<server>/<tool>` | the accepted
 * definition of a tool | | api | its name | the settings of an imported API | | api-tools | name of
 * the API | its operations, and those accepted | | network | its id | hosts that tools may and may not reach |
 * | tool | its name | the published version of an authored tool | | tool-draft |
 * `<tool>/<author>` | an unpublished document | | override | name of the tool | changes to a tool
 * of others |
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
  'api',
  'api-tools',
  'network',
  'tool',
  'tool-draft',
  'override',
] as const

export type RuleKind = (typeof ruleKinds)[number]

/** One document with its author. */
export interface Rule {
  tenant: string
  kind: RuleKind
  name: string
  body: JsonValue
  /** Declared in configuration: it is rewritten at every start and can't be changed elsewhere. */
  isDeclared: boolean
  /** Incremented with every change. */
  version: number
  updatedAt: string
  updatedBy: Principal
}

/** A change in progress: rules read here do not change until it is committed. */
export interface RuleDraft {
  find(kind: RuleKind, name: string): Promise<Rule | undefined>
  list(kind: RuleKind): Promise<Rule[]>
  /** Creates or replaces it. */
  put(kind: RuleKind, name: string, rule: { body: JsonValue; isDeclared?: boolean }): Promise<Rule>
  /** Creates those that do not exist yet, in one statement; the others do not change. */
  putNew(kind: RuleKind, bodies: ReadonlyMap<string, JsonValue>): Promise<void>
  /** False when there was none. */
  delete(kind: RuleKind, name: string): Promise<boolean>
  /** Deletes all whose names start with this prefix. */
  deleteUnder(kind: RuleKind, prefix: string): Promise<void>
  /** Records an event in the same transaction as the change. */
  tell<T extends EventType>(type: T, data: EventPayloads[T]): void
}

/** The tenants to read again. */
export interface RuleChanges {
  /** Pass it to the next call. */
  mark: string
  /**
   * Tenants with changes to rules, secrets, members or the tenant itself since the mark; possibly
   * more.
   */
  tenants: readonly string[]
}

/** The rules of tenants, and notification of every change that affects callers' permissions. */
export interface RuleStore {
  /** All rules of these kinds, by kind and name. */
  read(tenant: string, kinds: readonly RuleKind[]): Promise<Rule[]>
  /** All rules of this kind whose names start with the prefix, by name. */
  readUnder(tenant: string, kind: RuleKind, prefix: string): Promise<Rule[]>
  /** A mark per rule, which changes with every write; much less to read than the rules. */
  marksUnder(tenant: string, kind: RuleKind, prefix: string): Promise<ReadonlyMap<string, string>>
  /** By name; with `q`, those whose name, title or description contains all of its words. */
  page(tenant: string, kind: RuleKind, query: ListQuery): Promise<Page<Rule>>
  find(tenant: string, kind: RuleKind, name: string): Promise<Rule | undefined>
  /**
   * Reads and writes in one transaction; changes of one tenant are serialised. If `work` throws,
   * the change is rolled back. Inside, do not await anything else of the store: an embedded store
   * would deadlock.
   */
  change<T>(tenant: string, by: Principal, work: (draft: RuleDraft) => Promise<T>): Promise<T>
  /** Without a mark: the current mark, and no tenants. */
  changes(mark?: string): Promise<RuleChanges>
  /** Called when there may be changes, without details. Returns a function that unsubscribes. */
  watch(listener: () => void): () => void
}
