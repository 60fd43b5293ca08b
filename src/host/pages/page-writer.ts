import { cleanText, escapeText } from './clean-text.ts'

/** Collects the HTML of a page that is being stripped. */
export interface PageWriter {
  tag(tag: string): void
  text(text: string, isVerbatim: boolean): void
  /** Pieces so far: a place to cut. */
  readonly pieces: number
  /** Characters that people see, so far. */
  readonly kept: number
  /** More is not taken. */
  readonly isFull: boolean
  html(start?: number, end?: number): string
}

/**
 * Short addresses and left-out end tags can stand for long ones, many times over, so that a page may
 * grow. At most by a quarter of the two million characters that are read: converting takes time.
 */
const maxHtml = 2_500_000

export function createPageWriter(): PageWriter {
  const pieces: string[] = []
  /** Text comes in many small pieces, which are cheaper together. */
  let texts: string[] = []
  let areVerbatim = false
  let size = 0
  let kept = 0

  function add(piece: string): void {
    if (size > maxHtml) return
    size += piece.length
    pieces.push(piece)
  }

  function flush(): void {
    if (texts.length === 0) return
    const text = cleanText(texts.join(''))
    texts = []
    kept += text.trim().length
    add(escapeText(areVerbatim ? text : text.replaceAll(/\s+/g, ' ')))
  }

  return {
    tag(tag) {
      flush()
      add(tag)
    },
    text(text, isVerbatim) {
      if (isVerbatim !== areVerbatim) flush()
      areVerbatim = isVerbatim
      texts.push(text)
    },
    get pieces() {
      flush()
      return pieces.length
    },
    get kept() {
      flush()
      return kept
    },
    get isFull() {
      return size > maxHtml
    },
    html(start, end) {
      flush()
      return pieces.slice(start, end).join('')
    },
  }
}
