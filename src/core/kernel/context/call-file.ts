/** What is known of a file in the input. */
export interface FileFacts {
  /** As it was handed in; absent for a file that stands inside of the input. */
  name?: string
  mediaType: string
  size: number
}

/** A file that is read as it is needed. */
export interface OpenFile extends FileFacts {
  /** Its bytes in pieces of up to a megabyte, from the beginning each time. */
  chunks(): AsyncIterable<Uint8Array>
}

/** A file with all of its bytes. */
export interface WholeFile extends FileFacts {
  bytes: Uint8Array
  /** Read as UTF-8. */
  text(): string
}

/**
 * The files of a call's own input: uploads that it names, and files that stand in it as a data URL or
 * base64. The tool passes the value that it got. Throws invalid_input for what is no file, not_found
 * for an upload that the input does not name or that was removed meanwhile.
 */
export interface CallFiles {
  open(value: string): Promise<OpenFile>
  /** Throws invalid_input where it is larger than `maxBytes` (64 MB). */
  read(value: string, options?: { maxBytes?: number }): Promise<WholeFile>
}
