import { fetchJson } from '../../network/fetch-json.ts'
import { assertHas, readResults } from './read-results.ts'
import { endpoint, keyFix, type SearchProvider } from './search-provider.ts'

export const tavily: SearchProvider = {
  title: 'Tavily',
  baseUrl: 'https://api.tavily.com',
  secret: 'tavily_api_key',
  async search({ web, signal, query, limit, baseUrl, key }) {
    const { value } = await fetchJson(web, {
      from: 'Tavily',
      credentialFix: keyFix('tavily_api_key'),
      url: endpoint(baseUrl, '/search'),
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, max_results: limit, search_depth: 'basic' }),
      signal,
    })
    const { results } = assertHas(value, 'results', 'Tavily')
    const fields = { url: 'url', snippet: ['content'], score: 'score', published: 'published_date' }
    return { results: readResults(results, fields) }
  },
}
