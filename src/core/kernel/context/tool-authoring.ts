import type { Finding } from '../finding.ts'
import type { JsonValue } from '../json.ts'
import type { ToolPreview } from '../trial/tool-preview.ts'

/** A change of a tool that is a document. */
export type AuthoringChange =
  | { action: 'create'; document: JsonValue; note?: string | undefined }
  /** `version`: the one that was read. Another one in force is a conflict. */
  | { action: 'update'; document: JsonValue; version: string; note?: string | undefined }
  | { action: 'delete'; name: string; version: string }

/** A tool that is a document, in a list. */
export interface AuthoredFacts {
  name: string
  kind: string
  version: string
}

/** Everything to know before changing it. */
export interface AuthoredDocument extends AuthoredFacts {
  document: JsonValue
  /** Tools that call it, and agents that name it. */
  usedBy: readonly string[]
}

/** The findings about a document, before it is published. */
export interface CheckedSource {
  isPublishable: boolean
  findings: readonly Finding[]
  effect?: string
}

/**
 * Makes tools that are documents, as far as the caller may: only tools that it could call, and never
 * with more rights than before. Every change is previewed for the approval that it needs.
 */
export interface ToolAuthoring {
  list(after: string | undefined): Promise<{ items: readonly AuthoredFacts[]; next?: string }>
  get(name: string): Promise<AuthoredDocument>
  check(document: JsonValue): Promise<CheckedSource>
  preview(change: AuthoringChange): Promise<ToolPreview>
  /** Puts the change in force. Returns the version that is in force then. */
  apply(change: AuthoringChange): Promise<{ name: string; version?: string }>
}
