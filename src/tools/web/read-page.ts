import type { CallArtifacts } from '../../core/kernel/context/call-artifacts.ts'
import type { Pages } from '../../core/kernel/context/pages.ts'
import type { Web, WebPage } from '../../core/kernel/context/web.ts'
import type { ArtifactReference } from '../../core/kernel/artifact-reference.ts'
import { artifactTypeOf } from '../../core/net/artifact-type.ts'
import { fileNameOf } from '../../core/net/file-name.ts'
import { mediaKindOf } from '../../core/net/media-kind.ts'
import { reach } from '../network/reach.ts'
import { shorten, toUpstreamError } from '../../core/net/upstream-error.ts'

export type PageFormat = 'markdown' | 'text' | 'html' | 'raw'

/** A page as a tool gives it out: text, or a file. */
export interface PageContent {
  url: string
  status: number
  mediaType: string
  title: string | null
  text: string | null
  /** The end of the page is missing, whatever part is asked for. */
  isPartial: boolean
  artifact: ArtifactReference | null
}

interface PageReaders {
  web: Web
  pages: Pages
  artifacts: CallArtifacts
  signal: AbortSignal
}

const maxBytes = 5_000_000

/** Reads one page. Throws for a status of 400 or more. */
export async function readPage(
  url: string,
  format: PageFormat,
  readers: PageReaders,
): Promise<PageContent> {
  const { web, signal } = readers
  const headers = { accept: acceptFor(format), 'accept-language': 'en;q=0.9, *;q=0.5' }
  const options = { signal, headers, maxBytes, retries: 1 }
  const from = URL.parse(url)?.host ?? url
  const page = await reach(() => web.readPage(url, options), { from, signal, showsReason: true })
  if (page.status >= 400) throw await toPageError(page, readers)
  const content = await contentOf(page, format, readers)
  const { url: found, status, mediaType } = page
  return { url: found, status, mediaType, title: null, artifact: null, ...content }
}

function acceptFor(format: PageFormat): string {
  return format === 'markdown'
    ? 'text/html, text/markdown;q=0.9, text/*;q=0.8, application/json;q=0.8, */*;q=0.5'
    : 'text/html, text/*;q=0.8, application/json;q=0.8, */*;q=0.5'
}

type Content = Pick<PageContent, 'text' | 'isPartial'> & Partial<PageContent>

async function contentOf(
  page: WebPage,
  format: PageFormat,
  { pages, artifacts, signal }: PageReaders,
): Promise<Content> {
  const kind = mediaKindOf(page.mediaType, page.bytes)
  if (kind === 'binary') {
    const mediaType = artifactTypeOf(page.mediaType)
    const name = fileNameOf(page.url, page.headers.get('content-disposition'))
    const artifact = await artifacts.save({ name, mediaType, bytes: page.bytes })
    return { text: null, isPartial: false, artifact }
  }
  const text = page.text().replaceAll('\0', '')
  if (kind === 'html' && format !== 'raw') {
    return pages.convert(text, { url: page.url, format, signal })
  }
  return { text: kind === 'json' && format !== 'raw' ? prettyJson(text) : text, isPartial: false }
}

/** Malformed JSON, and JSON with numbers too long for JavaScript, stays as it was sent. */
function prettyJson(text: string): string {
  try {
    const value = JSON.parse(text) as unknown
    return /\d{16}/.test(text) ? text : JSON.stringify(value, null, 2)
  } catch {
    return text
  }
}

async function toPageError(page: WebPage, { pages, signal }: PageReaders): Promise<Error> {
  const { status, headers, url } = page
  const from = URL.parse(url)?.host ?? url
  const excerpt = await excerptOf(page, { pages, signal })
  const credentialFix =
    'The page is not public. If it is an API, use http.get, which can send a configured credential.'
  return toUpstreamError({ from, status, headers, excerpt, credentialFix })
}

/** Text of an error page, so that people and models see the reason. Empty for files. */
async function excerptOf(
  page: WebPage,
  { pages, signal }: Pick<PageReaders, 'pages' | 'signal'>,
): Promise<string> {
  const kind = mediaKindOf(page.mediaType, page.bytes)
  if (kind === 'binary') return ''
  const text = page.text().slice(0, 50_000)
  if (kind !== 'html') return shorten(text)
  const read = await pages.convert(text, { url: page.url, format: 'text', signal }).catch(() => {
    signal.throwIfAborted()
    return undefined
  })
  return shorten(read?.text ?? '')
}
