import { ToolError } from '../../../core/kernel/errors.ts'
import { describeNearest } from './nearest-text.ts'

export interface Replacement {
  path: string
  search: string
  replace: string
  replaceAll: boolean
}

/** Replaces the only occurrence, or all of them. Throws `invalid_input` and `conflict`. */
export function replaceText(
  text: string,
  { path, replaceAll, ...given }: Replacement,
): { after: string; replacements: number } {
  const { search, replace } = toLineEnds(text, given)
  if (search === replace) {
    throw new ToolError('invalid_input', 'search and replace are the same text', {
      fix: 'Give the new text as replace.',
    })
  }
  const pieces = text.split(search)
  const replacements = pieces.length - 1
  if (replacements === 0) {
    throw new ToolError('invalid_input', `${path} does not contain the text to replace`, {
      fix: describeNearest(text, search),
    })
  }
  if (replacements > 1 && !replaceAll) {
    throw new ToolError('invalid_input', ambiguous(path, text, search), {
      fix: 'Add lines around it until it occurs once, or set replaceAll.',
    })
  }
  return { after: pieces.join(replace), replacements }
}

/** Models write `\n`; in a file with `\r\n`, that means its own line ends. */
function toLineEnds(
  text: string,
  given: { search: string; replace: string },
): { search: string; replace: string } {
  if (text.includes(given.search)) {
    const isOneLine = !given.search.includes('\n')
    return isOneLine && usesCrlf(text) ? { ...given, replace: toCrlf(given.replace) } : given
  }
  if (!usesCrlf(text)) return given
  return { search: toCrlf(given.search), replace: toCrlf(given.replace) }
}

const toCrlf = (text: string) => text.replaceAll(/\r?\n/g, '\r\n')

/** Every line of the file ends so. */
function usesCrlf(text: string): boolean {
  return text.includes('\r\n') && !/(?:^|[^\r])\n/.test(text)
}

function ambiguous(path: string, text: string, search: string): string {
  const lines: number[] = []
  let count = 0
  for (let at = text.indexOf(search); at !== -1; at = text.indexOf(search, at + search.length)) {
    count += 1
    if (lines.length < 5) lines.push(text.slice(0, at).split('\n').length)
  }
  const shown = `${lines.join(', ')}${count > lines.length ? ', …' : ''}`
  return `${path} contains the text ${count} times, on lines ${shown}`
}
