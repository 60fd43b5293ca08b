import type { Caller } from '../call.ts'
import type { AuditAnchor, AuditCheck } from './audit-check.ts'
import type { AuditEntry, AuditFilter } from './audit-filter.ts'
import type { AuditPage } from './audit-log.ts'

/** How a copy of the log is written. */
export const auditFormats = ['jsonl', 'csv'] as const

export type AuditFormat = (typeof auditFormats)[number]

/** The log for those who have to answer for it; all of it needs `audit.read`. */
export interface AuditApi {
  /** Newest first. A page may be short, or empty, and still have a `next`. */
  listAudit(
    caller: Caller,
    query: AuditFilter & { after?: string; limit: number },
  ): Promise<AuditPage>
  /**
   * Everything that fits, oldest first, up to now, page by page as it is asked for; after this event
   * where a copy is gone on with. That a copy was taken is told before its first page.
   */
  exportAudit(
    caller: Caller,
    query: AuditFilter & { after?: string; format: AuditFormat },
  ): AsyncIterable<readonly AuditEntry[]>
  /** Checks the next stretch of the chain. `tenant` is for those who look after all of them. */
  checkAudit(
    caller: Caller,
    query: { after: number; anchors?: readonly AuditAnchor[]; tenant?: string },
  ): Promise<AuditCheck>
}
