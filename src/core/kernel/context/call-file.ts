/** The known facts about a file in the input. */
export interface FileFacts {
  /** The name it was uploaded with; absent for a file inside the input. */
  name?: string
  mediaType: string
  size: number
}

/** A file that is read on demand. */
export interface OpenFile extends FileFacts {
  /** Its bytes in chunks of up to a megabyte, from the start on each call. */
  chunks(): AsyncIterable<Uint8Array>
}

/** A file with all its bytes. */
export interface WholeFile extends FileFacts {
  bytes: Uint8Array
  /** Decoded as UTF-8. */
  text(): string
}

/**
 * The files in a call's own input: uploads that it names, and files embedded as a data URL or
 * base64. The tool passes the value it received. Throws invalid_input for a value that is not a
 * file, not_found for an upload that the input does not name or that has been removed.
 */
export interface CallFiles {
  open(value: string): Promise<OpenFile>
  /** Throws invalid_input when the file is larger than `maxBytes` (64 MB). */
  read(value: string, options?: { maxBytes?: number }): Promise<WholeFile>
}
