import type { Caller } from '../call.ts'
import type { UsageQuery, UsageRow } from './usage.ts'

/** What was used; needs `usage.read`. */
export interface UsageApi {
  readUsage(caller: Caller, query: UsageQuery): Promise<UsageRow[]>
}
