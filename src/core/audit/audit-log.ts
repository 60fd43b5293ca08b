import type { AuditEntry, AuditFilter } from './audit-filter.ts'
import type { AuditAnchor, AuditCheck } from './audit-check.ts'

/** A page of an audit. */
export interface AuditQuery extends AuditFilter {
  order: 'newest' | 'oldest'
  /** Continue from here: the id of the last event, or the `next` of the page before. */
  after?: string
  /** Oldest first: nothing after this event. */
  until?: string
  limit: number
  /** Approximate size of a page; a megabyte at most. */
  maxBytes?: number
}

/**
 * `next` is present while there may be more. A page whose search had to stop early is short, or
 * even empty, and still has a `next`.
 */
export interface AuditPage {
  items: AuditEntry[]
  next?: string
}

/**
 * The sealed view of the event feed: a chain of digests per tenant, built after the events are
 * written.
 */
export interface AuditLog {
  /** One round of sealing and of adding up usage. Zero when no tenant has more to do at once. */
  sweep(): Promise<number>
  /** Seals, and adds up, all events of a tenant that are final by now. Returns how many. */
  seal(tenant: string): Promise<number>
  list(tenant: string, query: AuditQuery): Promise<AuditPage>
  /** Checks the next stretch of the chain after this segment (0: from its beginning). */
  check(
    tenant: string,
    query: { after: number; anchors?: readonly AuditAnchor[] },
  ): Promise<AuditCheck>
  /** The names of these principals (`kind:id`), if known. */
  nameAll(tenant: string, principals: readonly string[]): Promise<ReadonlyMap<string, string>>
}
