import type { Caller } from '../kernel/call.ts'
import type { Effect, JsonSchema, ToolContract, ToolExample, ToolSource } from '../kernel/tool.ts'

/** A tool as agents get it: all that a model and an SDK need, and nothing of how it is run. */
export interface OfferedTool {
  readonly name: string
  /** What models and MCP clients call it. */
  readonly wireName: string
  readonly title: string
  readonly description: string
  readonly icon: string | undefined
  readonly effect: Effect
  readonly idempotent: boolean
  readonly openWorld: boolean
  readonly pack: string
  readonly source: ToolSource
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema | undefined
  readonly examples: readonly ToolExample[]
  readonly execution: ToolContract['execution']
  readonly timeoutMs: number
  readonly icons?: ToolContract['icons']
  readonly clientNeeds?: ToolContract['clientNeeds']
  /** Says which fields are secret, beside the schema. */
  readonly form?: ToolContract['form']
  /** A call of it will wait for a person, as far as that is known before its input. */
  readonly asks: boolean
  /** A call of it may wait for a person, by what the session has seen; whoever must know asks first. */
  readonly mayAsk: boolean
}

/** What one caller is offered. The same object while nothing has changed, so what is made of it can be kept. */
export interface ToolOffer {
  /** Sorted by canonical name. */
  readonly tools: readonly OfferedTool[]
  /** `search`: most tools are not listed, but found with `tools.search`. */
  readonly mode: 'list' | 'search'
  /** By wire name or canonical name, listed or not. */
  find(name: string): OfferedTool | undefined
}

/** What callers are offered: everything they may use, or a short list and a way to search. */
export interface Offers {
  offer(caller: Caller): ToolOffer | Promise<ToolOffer>
  /** Everything, whatever the mode. */
  whole(caller: Caller): Promise<ToolOffer>
}

export interface OfferApi {
  /** What this caller may use now. At once where it was gathered before. */
  offer(caller: Caller): ToolOffer | Promise<ToolOffer>
  /** Throws not_found for who acts as an agent that its tenant does not have. */
  assertAgent(caller: Caller): Promise<void>
  /**
   * Told whenever lists of this tenant may look different: tools, policy, grants, prompts, resources.
   * Says nothing about how. Returns the way to stop.
   */
  watchOffers(tenant: string, listener: () => void): () => void
}
