const units = ['KB', 'MB', 'GB', 'TB'] as const

/** `812 bytes`, `1.2 MB`: KB is 1,000 bytes. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? '1 byte' : `${bytes} bytes`
  let size = bytes / 1000
  let unit = 0
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1000
    unit += 1
  }
  return `${size.toFixed(size < 9.95 ? 1 : 0)} ${units[unit] ?? 'TB'}`
}
