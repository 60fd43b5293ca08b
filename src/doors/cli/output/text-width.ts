const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

// Blocks that terminals draw two columns wide; emoji have a property of their own.
const wide =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}])/u
const zero = /^[\p{Mark}\u200b-\u200d\ufeff]/u
const plain = /^[\u0020-\u007e]*$/

/** How many terminal columns a line takes. */
export function widthOf(text: string): number {
  if (plain.test(text)) return text.length
  let width = 0
  for (const { segment } of segmenter.segment(text)) width += widthOfGrapheme(segment)
  return width
}

/** The line cut to `width` columns, with an ellipsis where something is missing. */
export function truncate(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  if (width <= 0) return ''
  let cut = ''
  let used = 0
  for (const { segment } of segmenter.segment(text)) {
    const next = widthOfGrapheme(segment)
    if (used + next > width - 1) break
    cut += segment
    used += next
  }
  return `${cut.trimEnd()}…`
}

/** The line filled with spaces up to `width` columns. */
export function pad(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)))
  return align === 'right' ? space + text : text + space
}

/** Words broken into lines of at most `width` columns; existing line ends stay. */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((paragraph) => wrapParagraph(paragraph, Math.max(width, 10)))
}

function wrapParagraph(paragraph: string, width: number): string[] {
  const indent = /^\s*/.exec(paragraph)?.[0].slice(0, width / 2) ?? ''
  const lines: string[] = []
  let line = indent
  for (const word of paragraph.trim().split(/ +/)) {
    const isFirst = line.trim() === ''
    if (!isFirst && widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line)
      line = indent + word
    } else {
      line = isFirst ? indent + word : `${line} ${word}`
    }
  }
  return [...lines, line]
}

function widthOfGrapheme(grapheme: string): number {
  if (zero.test(grapheme)) return 0
  return wide.test(grapheme) || grapheme.includes('\ufe0f') ? 2 : 1
}
