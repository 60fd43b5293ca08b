import { htmlToMarkdown } from '@mdream/js'
import type { ReadablePage, ReadablePageOptions } from '../../core/kernel/context/pages.ts'
import { stripPage } from './strip-page.ts'

/** Less text than this hardly is what somebody came for. */
const littleText = 200
const littleShare = 0.1
/** Of the result; a page that indents everything may grow. */
const maxText = 4_000_000

/** Converts a page, on the thread it is called on. */
export function toReadable(
  html: string,
  { url, format }: Omit<ReadablePageOptions, 'signal'>,
): ReadablePage {
  const strict = stripPage(html, { url, isMainOnly: format !== 'html' })
  // Where a page calls all of it a sidebar, what was left out is what it has.
  const isTooLittle = strict.kept < littleText || strict.kept < littleShare * strict.seen
  const isLost = format !== 'html' && isTooLittle && strict.seen > strict.kept
  const page = isLost ? stripPage(html, { url, isMainOnly: false }) : strict
  const text = format === 'html' ? page.html : htmlToMarkdown(page.html, { format })
  return {
    title: page.title,
    text: tidy(text).slice(0, maxText),
    isPartial: page.isPartial || text.length > maxText,
  }
}

/** Line by line: a pattern for spaces at the end of lines would try each space of a long row. */
function tidy(text: string): string {
  const lines = text.split('\n').map((line) => line.trimEnd())
  return lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}
