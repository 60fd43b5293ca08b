/** Hands the browser a file to save. */
export function saveFile(
  parts: readonly BlobPart[],
  { name, type }: { name: string; type: string },
): void {
  const address = URL.createObjectURL(new Blob([...parts], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = toFileName(name)
  link.click()
  // The browser reads it after this; a minute is plenty.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** A name of a stranger as the name of a file: no folders, nothing hidden, not too long. */
export function toFileName(name: string): string {
  const safe = name
    .replaceAll(/[^\p{L}\p{N}._ -]+/gu, '-')
    .replaceAll(/^[.\s-]+|[.\s-]+$/g, '')
    .slice(0, 100)
  return safe === '' ? 'output' : safe
}
