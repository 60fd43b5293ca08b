import { isToolError } from '../../../core/kernel/errors.ts'
import { cutText } from '../../network/cut-text.ts'

export interface ExtractRequest {
  urls: readonly string[]
  /** Of each page. */
  maxChars: number
}

/** One page of several, or why there is none. */
export interface ExtractedPage {
  url: string
  title: string | null
  text: string | null
  truncated: boolean
  error: { code: string; message: string } | null
}

export function toExtracted(
  {
    url,
    title,
    text,
    isPartial,
  }: Omit<ExtractedPage, 'truncated' | 'error'> & { isPartial: boolean },
  maxChars: number,
): ExtractedPage {
  const part = cutText(text ?? '', 0, maxChars)
  const truncated = isPartial || part.next !== null
  return { url, title, text: text === null ? null : part.text, truncated, error: null }
}

/** Unexpected errors still fail the call. */
export function toFailed(url: string, error: unknown): ExtractedPage {
  if (!isToolError(error)) throw error
  const { code, message } = error
  return { url, title: null, text: null, truncated: false, error: { code, message } }
}
