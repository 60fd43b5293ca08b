/** Before the id of a stored file, where a message names it. */
export const filePrefix = 'crib-file:'

/** How a message names a file that is stored beside it. */
export function toFileUrl(fileId: string): string {
  return `${filePrefix}${fileId}`
}
