import type { CallContext } from '../../../core/kernel/call.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import { readPage } from '../read-page.ts'
import { type ExtractedPage, type ExtractRequest, toExtracted, toFailed } from './extracted-page.ts'

const atOnce = 4

type Readers = Pick<CallContext, 'web' | 'pages' | 'artifacts' | 'signal'>

/** Reads the pages from this server, a few at a time. */
export async function extractByOwn(
  { urls, maxChars }: ExtractRequest,
  readers: Readers,
): Promise<ExtractedPage[]> {
  const pages: ExtractedPage[] = []
  const waiting = [...urls.entries()]
  async function work(): Promise<void> {
    for (;;) {
      const [index, url] = waiting.shift() ?? []
      if (index === undefined || url === undefined) return
      pages[index] = await extract(url, maxChars, readers)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return pages
}

async function extract(url: string, maxChars: number, readers: Readers): Promise<ExtractedPage> {
  try {
    const page = await readPage(url, 'markdown', readers)
    if (page.text !== null) return toExtracted(page, maxChars)
    throw new ToolError('upstream_failed', `The page is a file (${page.mediaType})`, {
      retryable: false,
    })
  } catch (error) {
    readers.signal.throwIfAborted()
    return toFailed(url, error)
  }
}
