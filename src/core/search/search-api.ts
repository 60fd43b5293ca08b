import type { Caller } from '../kernel/call.ts'
import type { OfferedTool } from '../offer/tool-offer.ts'

/** A tool that fits a search; all of them are ready to be called. */
export type SearchHit = Pick<
  OfferedTool,
  'name' | 'wireName' | 'title' | 'description' | 'effect' | 'pack' | 'source'
>

/** What the tools of a caller take of a model's window, about. */
export interface ToolEstimate {
  /** How many it may use. */
  tools: number
  /** How it gets to know them. */
  mode: 'list' | 'search'
  /** Tokens, if all were listed and if it has to search. */
  tokens: { list: number; search: number }
  /** The heaviest, first. */
  heaviest: readonly { name: string; tokens: number }[]
}

export interface SearchApi {
  /** The tools that fit best, the best first. */
  searchTools(
    caller: Caller,
    query: { query: string; limit: number; agent?: string },
  ): Promise<{ items: SearchHit[]; searched: number }>
  estimateTools(caller: Caller, query: { agent?: string }): Promise<ToolEstimate>
}
