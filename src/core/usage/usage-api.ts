import type { Caller } from '../call.ts'
import type { ToolUsage, UsageQuery, UsageRow } from './usage.ts'

/** What was used; needs `usage.read`. */
export interface UsageApi {
  readUsage(caller: Caller, query: UsageQuery): Promise<UsageRow[]>
  /** Every tool that was used in these days, the most used first. */
  readToolUsage(caller: Caller, days: { from: string; to: string }): Promise<ToolUsage[]>
}
