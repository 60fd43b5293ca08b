/** First bytes, as Latin-1, of the types that the console can show. */
const signatures: readonly [start: string, mediaType: string][] = [
  ['\u0089PNG\r\n\u001a\n', 'image/png'],
  ['\u00ff\u00d8\u00ff', 'image/jpeg'],
  ['GIF8', 'image/gif'],
  ['%PDF-', 'application/pdf'],
  ['PK\u0003\u0004', 'application/zip'],
  ['\u001f\u008b', 'application/gzip'],
]

/** By the first bytes, never by the name alone: the name is text that anybody can choose. */
export function toMediaType(path: string, bytes: Uint8Array): string {
  const start = String.fromCodePoint(...bytes.subarray(0, 16))
  const found = signatures.find(([signature]) => start.startsWith(signature))
  if (found !== undefined) return found[1]
  if (start.startsWith('RIFF') && start.slice(8, 12) === 'WEBP') return 'image/webp'
  return /\.svg$/i.test(path) && start.trimStart().startsWith('<')
    ? 'image/svg+xml'
    : 'application/octet-stream'
}
