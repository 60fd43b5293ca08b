/** Longer addresses never match a template. */
const longest = 4096

/** Could this address come from this template? Gaps stand for anything but what follows them. */
export function fitsTemplate(template: string, uri: string): boolean {
  if (uri.length > longest) return false
  const pieces = template.split(/\{[^{}]*\}/)
  const [head = ''] = pieces
  const tail = pieces.at(-1) ?? ''
  if (pieces.length === 1) return uri === template
  if (!uri.startsWith(head) || !uri.endsWith(tail) || uri.length < head.length + tail.length) {
    return false
  }
  let from = head.length
  for (const piece of pieces.slice(1, -1)) {
    const at = uri.indexOf(piece, from)
    if (at < 0 || at + piece.length > uri.length - tail.length) return false
    from = at + piece.length
  }
  return true
}
