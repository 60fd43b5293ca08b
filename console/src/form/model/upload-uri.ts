const pattern = /^crib:\/\/uploads\/(upl_[0-9a-f]{32})$/

/** Is this what an input names a file by that the server keeps? */
export function isUploadUri(value: unknown): value is string {
  return typeof value === 'string' && pattern.test(value)
}

/** The id in it; undefined for any other text. */
export function uploadIdOf(text: string): string | undefined {
  return pattern.exec(text)?.[1]
}
