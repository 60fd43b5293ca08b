import type { Caller } from '../kernel/call.ts'
import type { Page } from '../kernel/page.ts'
import type { Runtime } from '../kernel/runtime.ts'
import type { Effect } from '../kernel/tool.ts'

/** What an agent may do with a tool: use it, use it once somebody has said yes, or not know of it. */
export const toolDecisions = ['allow', 'ask', 'hidden'] as const

export type ToolDecision = (typeof toolDecisions)[number]

/** One tool as it stands for an agent. Every layer's word is what explain is for. */
export interface AgentTool {
  tool: string
  title: string
  effect: Effect
  pack: string
  decision: ToolDecision
  /** The first rule that hides it or asks, in words. */
  reason?: string
}

export interface AgentToolQuery {
  runtime?: Runtime
  /** As somebody else: `member:<id>`, `key:<id>` or `role:<name>`. */
  as?: string
  /** With this skill of the agent in force. */
  skill?: string
  /** With what this session has seen. */
  sessionId?: string
  /** Words of its name or title. */
  q?: string
  decision?: ToolDecision
  after?: string
  limit: number
}

export interface AgentToolPage extends Page<AgentTool> {
  /** Of all that `q` fits, whatever page this is. */
  counts: Record<'all' | ToolDecision, number>
}

/** Where a word that patterns and levels use comes from. */
export type WordOrigin = 'shipped' | 'configuration' | 'tenant'

/** What patterns and levels of a tenant may name. */
export interface PolicyWords {
  profiles: {
    name: string
    origin: WordOrigin
    allow: readonly string[]
    deny: readonly string[]
  }[]
  groups: { name: string; origin: WordOrigin; patterns: readonly string[] }[]
  packs: { name: string; isOptIn: boolean; isOn: boolean; tools: number; setBy?: string }[]
}

/** What is decided, in lists that people choose from. */
export interface OverviewApi {
  /** Its tools by decision, by name. */
  listAgentTools(caller: Caller, slug: string, query: AgentToolQuery): Promise<AgentToolPage>
  readPolicyWords(caller: Caller): Promise<PolicyWords>
}
