import type { Page } from '../kernel/page.ts'

/** A tool that currently exists. */
export interface SeenTool {
  name: string
  title: string
}

/** A tool that exists or existed. */
export interface CatalogueRecord extends SeenTool {
  firstSeenMs: number
  /** The time since which no server has it. */
  goneMs?: number
}

/**
 * Records which tools have existed, so that a missing tool is noticed and rules that name it are
 * not lost at once.
 */
export interface CatalogueStore {
  /** All of them, by name. */
  list(query: {
    state?: 'present' | 'gone'
    after?: string
    limit: number
  }): Promise<Page<CatalogueRecord>>
  /** Writes the existing, newly missing and forgotten tools in one transaction. */
  write(change: {
    present: readonly SeenTool[]
    gone: readonly string[]
    forgotten: readonly string[]
    at: number
  }): Promise<void>
}
