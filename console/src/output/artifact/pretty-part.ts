/** Where a page of JSON text begins: how deep, and whether within a text. */
export interface PrettyState {
  depth: number
  isText: boolean
  isEscaped: boolean
}

export const prettyStart: PrettyState = { depth: 0, isText: false, isEscaped: false }

const mostIndent = 20

/** A piece of JSON text, broken into lines as far as it goes, and the state that the next piece begins with. */
export function prettyPart(
  text: string,
  start: PrettyState,
): { pretty: string; state: PrettyState } {
  const parts: string[] = []
  let { depth, isText, isEscaped } = start
  let from = 0
  const breakAt = (index: number, before: boolean) => {
    parts.push(text.slice(from, before ? index : index + 1))
    parts.push(`\n${'  '.repeat(Math.min(depth, mostIndent))}`)
    from = before ? index : index + 1
  }
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]
    if (isText) {
      if (isEscaped) isEscaped = false
      else if (character === '\\') isEscaped = true
      else if (character === '"') isText = false
      continue
    }
    if (character === '"') isText = true
    else if (character === ',') breakAt(index, false)
    else if (character === '{' || character === '[') {
      depth += 1
      breakAt(index, false)
    } else if (character === '}' || character === ']') {
      depth = Math.max(0, depth - 1)
      breakAt(index, true)
    }
  }
  parts.push(text.slice(from))
  return { pretty: parts.join(''), state: { depth, isText, isEscaped } }
}
