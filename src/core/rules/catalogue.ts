import type { Page } from '../kernel/page.ts'

/** A tool that is here now. */
export interface SeenTool {
  name: string
  title: string
}

/** A tool that is or was here. */
export interface CatalogueRecord extends SeenTool {
  firstSeenMs: number
  /** Since when no server has it. */
  goneMs?: number
}

/** Which tools were ever here, so that one that vanishes is noticed and what names it is not lost at once. */
export interface CatalogueStore {
  /** All of them, by name. */
  list(query: {
    state?: 'present' | 'gone'
    after?: string
    limit: number
  }): Promise<Page<CatalogueRecord>>
  /** Writes what is here, what is gone since now, and what is forgotten; all or nothing. */
  write(change: {
    present: readonly SeenTool[]
    gone: readonly string[]
    forgotten: readonly string[]
    at: number
  }): Promise<void>
}
