import type { Caller } from '../call.ts'
import type { Page } from '../page.ts'
import type { LimitSpec, LimitWithUse } from './limit.ts'

/** Limits as people set them and see how much of them is used. */
export interface LimitsApi {
  /** Those for every tenant first, each with the first few who have used most. Needs `usage.read` or `limits.manage`. */
  listLimits(caller: Caller, query: { after?: string; limit: number }): Promise<Page<LimitWithUse>>
  /** One, with a page of those who use it. */
  findLimit(
    caller: Caller,
    name: string,
    query: { after?: string; limit: number },
  ): Promise<LimitWithUse>
  /** Makes or replaces it. What configuration declares can't be changed here. */
  writeLimit(caller: Caller, name: string, spec: LimitSpec): Promise<LimitWithUse>
  deleteLimit(caller: Caller, name: string): Promise<void>
}
