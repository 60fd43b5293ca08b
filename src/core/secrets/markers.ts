/** Where to begin looking for a character that no pattern holds: U+2588, a full block. */
const firstSymbol = 0x2588

/**
 * What stands in place of each secret, by its name: `[redacted:<name>]`, unless a secret is so much
 * like it that the mark, alone or with the text beside it, would spell that secret again.
 */
export function toMarkers(patterns: ReadonlyMap<string, string>): Map<string, string> {
  const all = [...patterns.keys()]
  const markers = new Map<string, string>()
  for (const name of patterns.values()) {
    if (markers.has(name)) continue
    const wanted = [`[redacted:${name}]`, `(redacted:${name})`, '[redacted]', '(hidden)']
    const safe = wanted.find((marker) => all.every((pattern) => !maySpell(marker, pattern)))
    markers.set(name, safe ?? toUnusedSymbol(all))
  }
  return markers
}

/** Could a text with the marker in it hold the pattern, with at least one character of the marker? */
function maySpell(marker: string, pattern: string): boolean {
  if (marker.includes(pattern) || pattern.includes(marker)) return true
  const longest = Math.min(marker.length, pattern.length)
  for (let length = 1; length < longest; length++) {
    if (marker.endsWith(pattern.slice(0, length))) return true
    if (marker.startsWith(pattern.slice(-length))) return true
  }
  return false
}

function toUnusedSymbol(patterns: readonly string[]): string {
  for (let unit = firstSymbol; ; unit++) {
    const symbol = String.fromCharCode(unit)
    if (patterns.every((pattern) => !pattern.includes(symbol))) return symbol
  }
}
