interface Limit {
  lines: number
  chars: number
}

interface Split {
  lines: string[]
  /** Not all of the text is in the lines. */
  isCut: boolean
  /** Of the whole text. */
  count: number
}

/** The first lines of a text, without the empty one that its last end of line would add. */
export function splitLines(text: string, { lines: most, chars }: Limit): Split {
  const whole = text.replaceAll('\r\n', '\n')
  const body = whole.endsWith('\n') ? whole.slice(0, -1) : whole
  const head = body.length > chars ? body.slice(0, chars) : body
  const all = head.split('\n')
  const lines = all.slice(0, most)
  const isCut = head.length < body.length || lines.length < all.length
  return { lines, isCut, count: head.length < body.length ? countLines(body) : all.length }
}

function countLines(text: string): number {
  let count = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1
  return count
}
