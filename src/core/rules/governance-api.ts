import type { Caller, Principal } from '../call.ts'
import type { ListQuery, Page } from '../page.ts'
import type { Grant } from '../policy/scope.ts'
import type { JsonValue, Runtime } from '../tool.ts'
import type { AgentSpec, LevelSpec } from './rule-schemas.ts'

/** Who wrote something last, and whether only configuration may change it. */
export interface Provenance {
  isDeclared: boolean
  /** Counts up with every change; give it back to change only what you have seen. */
  version: number
  updatedAt: string
  updatedBy: Principal
}

/** An agent in a list. */
export interface AgentSummary extends Provenance {
  slug: string
  name?: string
  model: string
  autonomy: AgentSpec['autonomy']
  /** It could not be read as it is stored, so it gets no tools; this is why. */
  closed?: string
}

/** One agent with all its grants, whoever holds them. */
export interface Agent
  extends AgentSummary, Omit<AgentSpec, 'slug' | 'name' | 'model' | 'autonomy'> {
  grants: readonly Grant[]
  /** Skills it has, with the version that is pinned. */
  skills: readonly { name: string; version: string }[]
  /** What names no tool at the moment, and the like. */
  warnings: readonly string[]
}

/** Fields of an agent without a default, which a change can clear. */
export type ClearableField =
  | 'name'
  | 'permissions'
  | 'description'
  | 'maxSteps'
  | 'maxTurnTokens'
  | 'providerTools'

/** What is left out stays; null takes away what has no default. */
export type AgentChange = Partial<Omit<AgentSpec, 'slug' | 'tools' | ClearableField>> & {
  [Field in ClearableField]?: AgentSpec[Field] | null
} & {
  /** What is given by hand; what skills hold stays. */
  tools?: { profile?: string | null; allow?: readonly string[]; deny?: readonly string[] }
  /** Only if it still has this version. */
  version?: number
}

/** A change of one grant. */
export interface GrantRequest {
  pattern: string
  kind: 'allow' | 'deny'
}

/** What a tenant decides beside its agents, each under a name. */
export const policyDocumentKinds = ['policy', 'provider', 'profile', 'group', 'pack'] as const

export type PolicyDocumentKind = (typeof policyDocumentKinds)[number]

/** One of these, as it stands. */
export interface PolicyDocument extends Provenance {
  kind: PolicyDocumentKind
  name: string
  body: JsonValue
  /** It could not be read as it is stored; what depends on it lets nothing through. */
  closed?: string
  /** Patterns that fit no tool at the moment; told to whoever writes them. */
  warnings?: readonly string[]
}

/** What would be saved. Absent stays as it is; null is taken away. */
export interface SimulationRequest {
  policy?: LevelSpec | null
  providers?: Readonly<Record<string, LevelSpec | null>>
  profiles?: Readonly<Record<string, { allow: readonly string[]; deny: readonly string[] } | null>>
  groups?: Readonly<Record<string, readonly string[] | null>>
  packs?: Readonly<Record<string, boolean | null>>
  /** Agents as they would be: changes of those that are there. */
  agents?: Readonly<Record<string, AgentChange>>
  runtime?: Runtime
  /** Only this agent. */
  agent?: string
  /** Page on after this agent. */
  after?: string
  limit?: number
}

/** What would be different for one agent. */
export interface SimulatedChange {
  agent: string
  /** Tools it would see and does not now; and the other way round. */
  gains: readonly string[]
  loses: readonly string[]
  /** Tools it may use now and would have to ask for; and the other way round. */
  asks: readonly string[]
  allows: readonly string[]
}

export interface Simulation extends Page<SimulatedChange> {
  /** How many agents of this page would notice nothing. */
  unchanged: number
}

/** A tool that is or was here. */
export interface CatalogueEntry {
  tool: string
  title: string
  state: 'present' | 'gone'
  firstSeenAt: string
  goneAt?: string
  /** What names it is kept until then. */
  keptUntil?: string
  /** Agents of this tenant that name it in grants or settings. */
  agents: readonly string[]
}

/** How many tools of a tenant a pattern matches now, hidden ones included. */
export interface PatternMatch {
  pattern: string
  count: number
  /** The first few of them. */
  tools: readonly string[]
  /** Why it is no pattern. */
  problem?: string
}

/** What operators do with agents, grants and policies. */
export interface GovernanceApi {
  /** By slug. */
  listAgents(caller: Caller, query: ListQuery): Promise<Page<AgentSummary>>
  findAgent(caller: Caller, slug: string): Promise<Agent>
  /** Throws conflict when there is one of that slug. */
  createAgent(caller: Caller, spec: AgentSpec): Promise<Agent>
  changeAgent(caller: Caller, slug: string, change: AgentChange): Promise<Agent>
  /** With its grants, skills and secrets; keys that are bound to it stop working. */
  deleteAgent(caller: Caller, slug: string): Promise<void>
  /** Held by the source `manual`; adding twice is adding once. */
  addGrant(caller: Caller, slug: string, grant: GrantRequest): Promise<Agent>
  /** Refused with the skill's name where a skill holds it, and where configuration declares it. */
  removeGrant(caller: Caller, slug: string, grant: GrantRequest): Promise<Agent>
  /** One tool off, whatever grants it: its own grant goes, and a deny comes where a wider one remains. */
  turnOffTool(caller: Caller, slug: string, tool: string): Promise<Agent>
  listPolicyDocuments(caller: Caller, kind: PolicyDocumentKind): Promise<PolicyDocument[]>
  /** Checked by the words of the tenant; what is malformed or names something unknown is refused. */
  writePolicyDocument(
    caller: Caller,
    document: { kind: PolicyDocumentKind; name: string; body: unknown; version?: number },
  ): Promise<PolicyDocument>
  /** Refused with conflict while an agent or a level names it. */
  deletePolicyDocument(
    caller: Caller,
    document: { kind: PolicyDocumentKind; name: string },
  ): Promise<void>
  /** What would change for every agent if this were saved. Nothing is. */
  simulate(caller: Caller, request: SimulationRequest): Promise<Simulation>
  matchPatterns(caller: Caller, patterns: readonly string[]): Promise<PatternMatch[]>
  /** Tools by name, those that are gone included. */
  listCatalogue(
    caller: Caller,
    query: { state?: CatalogueEntry['state']; after?: string; limit: number },
  ): Promise<Page<CatalogueEntry>>
}
