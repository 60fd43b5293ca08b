/** A Markdown file cut in two. */
export interface FrontMatter {
  /** Without the lines of dashes. */
  yaml: string
  /** The text after it, from the first line that is not blank. */
  text: string
}

const opening = /^\uFEFF?---[ \t]*\r?\n/
const closing = /^---[ \t]*(?:\r?\n|$)/m

/** Cuts the front matter off; undefined when there is none, or it does not end. */
export function splitFrontMatter(file: string): FrontMatter | undefined {
  const start = opening.exec(file)
  if (start === null) return undefined
  const rest = file.slice(start[0].length)
  const end = closing.exec(rest)
  if (end === null) return undefined
  const text = rest.slice(end.index + end[0].length).replace(/^(?:[ \t]*\r?\n)+/, '')
  return { yaml: rest.slice(0, end.index), text }
}
