import type { JsonValue } from '../json.ts'

/** One thing that a call would change. */
export interface PreviewChange {
  /** Its name for people: a path, an invoice, a recipient. */
  target: string
  before?: JsonValue
  after?: JsonValue
  /** A unified diff, for text: shown in place of before and after. */
  diff?: string
}

/** The changes that a call would make. */
export interface ToolPreview {
  /** One sentence. */
  summary: string
  changes: readonly PreviewChange[]
  /** How many changes there would be, where not all are listed. */
  count?: number
  warnings?: readonly string[]
}

/** A preview as callers get it: without secrets, cut to size, with the digest of all its changes. */
export interface BoundPreview extends ToolPreview {
  /** Of the changes, regardless of their order: equal digests mean the same changes. */
  digest: string
}

/** A preview with the call on record that made it. */
export interface CallPreview extends BoundPreview {
  callId: string
}

/** The facts about a tool's preview in its contract. */
export interface PreviewFacts {
  /** An approved call waits for approval again if its preview has changed in the meantime. */
  binds: boolean
}
