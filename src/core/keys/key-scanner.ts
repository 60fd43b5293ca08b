import { apiKeyPattern, apiKeyTokenLength, parseApiKey } from './api-key-token.ts'

/** A token in a text, verified by its checksum. Lines and columns count from 1. */
export interface FoundToken {
  token: string
  id: string
  line: number
  column: number
}

/** Finds tokens in a text that arrives in pieces: those that end in this piece, in order. */
export type KeyScanner = (piece: string) => FoundToken[]

/** A scanner for one text. It finds tokens across the cuts, and buffers no more than that needs. */
export function createKeyScanner(): KeyScanner {
  let held = ''
  const place = { line: 1, column: 1 }
  return (piece) => {
    const text = held + piece
    const found: FoundToken[] = []
    let at = 0
    for (const token of findTokens(text)) {
      advance(place, text.slice(at, token.at))
      at = token.at
      found.push({ token: token.text, id: token.id, ...place })
    }
    // A token may start in the last characters and end in the next piece; one already found may
    // not.
    const lastEnd = found.length === 0 ? 0 : at + apiKeyTokenLength
    const keepFrom = Math.max(lastEnd, text.length - apiKeyTokenLength + 1, 0)
    advance(place, text.slice(at, keepFrom))
    held = text.slice(keepFrom)
    return found
  }
}

function* findTokens(text: string): Generator<{ text: string; id: string; at: number }> {
  const pattern = apiKeyPattern()
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const parts = parseApiKey(match[0])
    // Text that only looks like a token may overlap with one.
    if (parts === undefined) pattern.lastIndex = match.index + 1
    else yield { text: match[0], id: parts.id, at: match.index }
  }
}

function advance(place: { line: number; column: number }, text: string): void {
  const lastBreak = text.lastIndexOf('\n')
  if (lastBreak === -1) {
    place.column += text.length
    return
  }
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) place.line++
  place.column = text.length - lastBreak
}
