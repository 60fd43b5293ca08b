/** A page as people see it: without scripts, hidden parts, menus and notices. */
export interface ReadablePage {
  /** Null where the page has none. */
  title: string | null
  text: string
  /** The page was too large: its end is missing. */
  isPartial: boolean
}

export interface ReadablePageOptions {
  /** The address of the page, for its links. */
  url: string
  /** `html` keeps menus and notices, too; it has no scripts and nothing hidden. */
  format: 'markdown' | 'text' | 'html'
  signal?: AbortSignal
}

/**
 * Converts HTML that others wrote, away from the server's thread. Throws `upstream_failed` for a
 * page that takes too long or too much memory. The result is still untrusted text.
 */
export interface Pages {
  convert(html: string, options: ReadablePageOptions): Promise<ReadablePage>
}
