import { htmlToMarkdown } from '@mdream/js'
import type { ReadablePage, ReadablePageOptions } from '../../core/kernel/context/pages.ts'
import { stripPage } from './strip-page.ts'

/** A main part with less of the text is not what somebody came for, all the less if it is short. */
const littleShare = 0.1
const shortText = 200
const shortShare = 0.5
/** Of the result; a page that indents everything may grow. */
const maxText = 4_000_000

/** Converts a page, on the thread it is called on. */
export function toReadable(
  html: string,
  { url, format }: Omit<ReadablePageOptions, 'signal'>,
): ReadablePage {
  const strict = stripPage(html, { url, isMainOnly: format !== 'html' })
  // Where a page calls all of it a sidebar, what was left out is what it has.
  const share = strict.kept / strict.seen
  const isTooLittle = share < (strict.kept < shortText ? shortShare : littleShare)
  const isLost = format !== 'html' && isTooLittle
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
