import type { ReadApi } from './model.ts'

/** A document on its way to be read. */
export interface DocumentBytes {
  bytes: Uint8Array
  /** Where it came from, for relative addresses in it. */
  url?: string
  /** Without the schemas of operations, which take most of the memory. */
  isPreview?: boolean
}

/** Reads documents beside the main thread, a few at a time, each within a deadline. */
export interface ApiReader {
  /** Takes the bytes away. Throws invalid_request if they are not a document. */
  read(document: DocumentBytes, signal?: AbortSignal): Promise<ReadApi>
}
