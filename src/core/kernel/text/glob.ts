/** True when the text matches; compiled once per pattern. */
export type Glob = (text: string) => boolean

/**
 * Compiles a pattern in which `*` matches any characters, including none, and everything else
 * matches itself. Anchored at both ends. It uses no regular expression and never backtracks: the
 * leftmost match of each piece is always good enough, so no pattern can make it slow.
 */
export function compileGlob(pattern: string): Glob {
  const pieces = pattern.split('*')
  const head = pieces[0] ?? ''
  const tail = pieces.at(-1) ?? ''
  if (pieces.length === 1) return (text) => text === pattern
  const middle = pieces.slice(1, -1).filter((piece) => piece !== '')
  const shortest = head.length + tail.length
  return (text) =>
    text.length >= shortest &&
    text.startsWith(head) &&
    text.endsWith(tail) &&
    (middle.length === 0 ||
      holdsInOrder(text.slice(head.length, text.length - tail.length), middle))
}

function holdsInOrder(text: string, pieces: readonly string[]): boolean {
  let from = 0
  for (const piece of pieces) {
    const at = text.indexOf(piece, from)
    if (at === -1) return false
    from = at + piece.length
  }
  return true
}
