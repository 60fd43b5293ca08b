const byteUnits = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** `1.4 MB`. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(4, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** power
  const digits = power === 0 || value >= 100 ? 0 : 1
  return `${value.toFixed(digits)} ${byteUnits[power] ?? 'B'}`
}

/** `12%`, with a decimal if it is small. */
export function describePercent(part: number, whole: number): string {
  if (whole === 0) return '0%'
  const share = (part / whole) * 100
  return `${share > 0 && share < 10 ? share.toFixed(1) : Math.round(share)}%`
}
