import type { Web } from '../../../core/kernel/context/web.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import { fetchJson } from '../../network/fetch-json.ts'
import { shorten } from '../../../core/net/upstream-error.ts'
import { assertHas } from '../search/read-results.ts'
import { endpoint, keyFix } from '../search/search-provider.ts'
import { type ExtractedPage, type ExtractRequest, toExtracted, toFailed } from './extracted-page.ts'

interface Tavily {
  web: Web
  signal: AbortSignal
  baseUrl: string
  key: string
}

/** Lets Tavily read the pages. */
export async function extractByTavily(
  { urls, maxChars }: ExtractRequest,
  { web, signal, baseUrl, key }: Tavily,
): Promise<ExtractedPage[]> {
  if (key === '') throw keyMissing()
  const { value } = await fetchJson(web, {
    from: 'Tavily',
    credentialFix: keyFix('tavily_api_key'),
    url: endpoint(baseUrl, '/extract'),
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ urls, extract_depth: 'basic', format: 'markdown' }),
    timeoutMs: 60_000,
    signal,
  })
  const { results, failed_results: failed } = assertHas(value, 'results', 'Tavily')
  const texts = byUrl(results, 'raw_content')
  const reasons = byUrl(failed, 'error')
  return urls.map((url) => {
    const text = texts.get(url)
    if (text !== undefined)
      return toExtracted({ url, title: null, text, isPartial: false }, maxChars)
    const reason = shorten(reasons.get(url) ?? 'no content')
    return toFailed(url, new ToolError('upstream_failed', `Tavily could not read it: ${reason}`))
  })
}

function byUrl(list: unknown, key: string): Map<string, string> {
  const records = Array.isArray(list) ? list : []
  return new Map(
    records.flatMap((one: unknown) => {
      const { url, [key]: text } = Object(one) as Record<string, unknown>
      return typeof url === 'string' && typeof text === 'string' ? [[url, text] as const] : []
    }),
  )
}

function keyMissing(): ToolError {
  return new ToolError('secret_missing', 'Tavily needs tavily_api_key, which is not set', {
    fix: 'Set it with: toolcrib secrets set tavily_api_key',
    details: { keys: ['tavily_api_key'] },
  })
}
