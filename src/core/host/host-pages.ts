import type { Pages } from '../kernel/context/pages.ts'

/** Converts pages in threads of their own. */
export interface HostPages {
  /** Tenants take turns, so that one with many heavy pages keeps no other waiting for all of them. */
  pagesFor(tenant: string): Pages
}
