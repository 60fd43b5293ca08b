/** A problem with a definition that somebody wrote, and its place. */
export interface Finding {
  /** A JSON pointer into the document: `/spec/steps/2/input/id`. */
  path: string
  /** The problem, as the end of a sentence that starts with the place: `names no tool`. */
  message: string
  /** How to fix it, in one sentence. */
  fix?: string
  /** A document with errors can be kept as a draft, but not published. */
  severity: 'error' | 'warning'
}

/** A finding with its place in the text that somebody wrote, from 1. */
export type PlacedFinding = Finding & { line?: number; column?: number }
