import type { AuditEntry, AuditFilter } from './audit-filter.ts'
import type { AuditAnchor, AuditCheck } from './audit-check.ts'

/** A page of an audit. */
export interface AuditQuery extends AuditFilter {
  order: 'newest' | 'oldest'
  /** Read on from here: the id of the last event, or the `next` of the page before. */
  after?: string
  /** Oldest first: nothing beyond this event. */
  until?: string
  limit: number
  /** About so many bytes a page, at most a megabyte. */
  maxBytes?: number
}

/**
 * `next` is there while there may be more. A page that had to look through too much is short, or
 * even empty, and still has a `next`.
 */
export interface AuditPage {
  items: AuditEntry[]
  next?: string
}

/** The sealed view of the event feed: a chain of digests per tenant, made behind the writers. */
export interface AuditLog {
  /** One round of sealing and of adding up usage. Zero when nobody is left that has more at once. */
  sweep(): Promise<number>
  /** Seals, and adds up, all of a tenant's events that are decided by now. Returns how many. */
  seal(tenant: string): Promise<number>
  list(tenant: string, query: AuditQuery): Promise<AuditPage>
  /** Checks the next stretch of the chain after this segment (0: from its beginning). */
  check(
    tenant: string,
    query: { after: number; anchors?: readonly AuditAnchor[] },
  ): Promise<AuditCheck>
  /** What these principals (`kind:id`) are called, where that is known. */
  nameAll(tenant: string, principals: readonly string[]): Promise<ReadonlyMap<string, string>>
}
