/** A piece of a long text, and where the next begins. */
export interface TextPiece {
  text: string
  /** Null at the end. */
  next: number | null
}

/** Cuts between characters, never inside a surrogate pair. */
export function cutText(text: string, offset: number, maxChars: number): TextPiece {
  const start = isInside(text, offset) ? offset + 1 : offset
  const wanted = start + maxChars
  const end = isInside(text, wanted) ? wanted - 1 : wanted
  return { text: text.slice(start, end), next: end < text.length ? end : null }
}

function isInside(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff && at > 0
}
