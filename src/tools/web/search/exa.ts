import { fetchJson } from '../../network/fetch-json.ts'
import { assertHas, readResults } from './read-results.ts'
import { endpoint, keyFix, type SearchProvider } from './search-provider.ts'

export const exa: SearchProvider = {
  title: 'Exa',
  baseUrl: 'https://api.exa.ai',
  secret: 'exa_api_key',
  async search({ web, signal, query, limit, baseUrl, key }) {
    const { value } = await fetchJson(web, {
      from: 'Exa',
      credentialFix: keyFix('exa_api_key'),
      url: endpoint(baseUrl, '/search'),
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({
        query,
        numResults: limit,
        contents: { text: { maxCharacters: 500 } },
      }),
      signal,
    })
    const { results } = assertHas(value, 'results', 'Exa')
    const snippet = ['summary', 'highlights', 'text']
    const fields = { url: 'url', snippet, score: 'score', published: 'publishedDate' }
    return { results: readResults(results, fields) }
  },
}
