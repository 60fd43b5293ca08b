/** The sealed view of the event feed: a chain of digests per tenant, made behind the writers. */
export interface AuditLog {
  /** One round of sealing and of adding up usage. Zero when nobody is left that has more at once. */
  sweep(): Promise<number>
  /** Seals, and adds up, all of a tenant's events that are decided by now. Returns how many. */
  seal(tenant: string): Promise<number>
}
