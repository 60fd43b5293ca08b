import type { Caller } from '../kernel/call.ts'
import type { Effect, JsonSchema, ToolContract, ToolExample, ToolOrigin } from '../kernel/tool.ts'

/**
 * A tool as agents get it: everything that a model and an SDK need, and nothing about how it runs.
 */
export interface OfferedTool {
  readonly name: string
  /** The name for models and MCP clients. */
  readonly wireName: string
  readonly title: string
  readonly description: string
  readonly icon: string | undefined
  readonly effect: Effect
  readonly idempotent: boolean
  readonly openWorld: boolean
  readonly pack: string
  readonly source: ToolOrigin
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema | undefined
  readonly examples: readonly ToolExample[]
  readonly execution: ToolContract['execution']
  readonly timeoutMs: number
  readonly icons?: ToolContract['icons']
  readonly clientNeeds?: ToolContract['clientNeeds']
  /** Marks secret fields, in addition to the schema. */
  readonly form?: ToolContract['form']
  /** A call will need approval, as far as that is known before its input. */
  readonly asks: boolean
  /**
   * A call may need approval, depending on the flags of the session; doors that must know ask
   * first.
   */
  readonly mayAsk: boolean
}

/**
 * The tools offered to one caller. The same object while nothing has changed, so results derived
 * from it can be cached.
 */
export interface ToolOffer {
  /** Sorted by canonical name. */
  readonly tools: readonly OfferedTool[]
  /** `search`: most tools are not listed, but found with `tools.search`. */
  readonly mode: 'list' | 'search'
  /** By wire name or canonical name, listed or not. */
  find(name: string): OfferedTool | undefined
}

/** The offers of callers: all tools they may use, or a short list and a search. */
export interface Offers {
  offer(caller: Caller): ToolOffer | Promise<ToolOffer>
  /** All tools, in every mode. */
  whole(caller: Caller): Promise<ToolOffer>
}

export interface OfferApi {
  /** The tools this caller may use now. Synchronous if they were collected before. */
  offer(caller: Caller): ToolOffer | Promise<ToolOffer>
  /** Throws not_found for a caller that acts as an agent its tenant does not have. */
  assertAgent(caller: Caller): Promise<void>
  /**
   * Called when lists of this tenant may have changed: tools, policy, grants, prompts, resources.
   * Without details. Returns a function that unsubscribes.
   */
  watchOffers(tenant: string, listener: () => void): () => void
}
