import { ToolError } from '../../../core/kernel/errors.ts'
import { fetchJson } from '../../network/fetch-json.ts'
import { shorten } from '../../../core/net/upstream-error.ts'
import { readResults } from './read-results.ts'
import { endpoint, keyFix, type SearchProvider } from './search-provider.ts'

export const serpapi: SearchProvider = {
  title: 'SerpApi',
  baseUrl: 'https://serpapi.com',
  secret: 'serpapi_api_key',
  async search({ web, signal, query, limit, baseUrl, key }) {
    const url = endpoint(baseUrl, '/search')
    // The key is part of the address, so that no message may have the address.
    const parameters = { engine: 'google', q: query, num: String(limit), api_key: key }
    url.search = new URLSearchParams(parameters).toString()
    const from = 'SerpApi'
    const credentialFix = keyFix('serpapi_api_key')
    const { value } = await fetchJson(web, { from, credentialFix, url, signal })
    const answer = Object(value) as Record<string, unknown>
    assertSucceeded(answer)
    const fields = { url: 'link', snippet: ['snippet'], published: 'date' }
    return { results: readResults(answer['organic_results'], fields).slice(0, limit) }
  },
}

/** A search without results is a success, with an `error` text. */
function assertSucceeded(answer: Record<string, unknown>): void {
  const { status } = Object(answer['search_metadata']) as { status?: unknown }
  if (status === 'Success' || (status === undefined && 'organic_results' in answer)) return
  const said = typeof answer['error'] === 'string' ? `: ${shorten(answer['error'])}` : ''
  throw new ToolError('upstream_failed', `SerpApi could not search${said}`, {
    fix: 'Try again later, with other words, or with another provider.',
  })
}
