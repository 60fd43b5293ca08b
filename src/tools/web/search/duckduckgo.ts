import { fetchJson } from '../../network/fetch-json.ts'
import { shorten } from '../../../core/net/upstream-error.ts'
import { assertHas } from './read-results.ts'
import { endpoint, type SearchProvider, type SearchResult } from './search-provider.ts'

/** Instant answers: facts about well-known things, and links to related ones. */
export const duckduckgo: SearchProvider = {
  title: 'DuckDuckGo',
  baseUrl: 'https://api.duckduckgo.com',
  async search({ web, signal, query, limit, baseUrl }) {
    const url = endpoint(baseUrl, '/')
    const parameters = { q: query, format: 'json', no_html: '1', skip_disambig: '1' }
    url.search = new URLSearchParams({ ...parameters, t: 'toolcrib' }).toString()
    const credentialFix = 'Wait a while, or choose another provider: it limits requests.'
    const { value } = await fetchJson(web, { from: 'DuckDuckGo', credentialFix, url, signal })
    const answer = assertHas(value, 'RelatedTopics', 'DuckDuckGo')
    const results = [...abstractOf(answer), ...topicsOf(answer['Results'])]
    results.push(...topicsOf(answer['RelatedTopics']))
    return {
      results: results.slice(0, limit),
      note: 'DuckDuckGo gives instant answers about well-known things only, not all web results. An administrator can configure Tavily, Exa or SerpApi.',
    }
  },
}

function abstractOf(answer: Record<string, unknown>): SearchResult[] {
  const { AbstractURL: url, AbstractText: text, Answer: fact, Heading: title } = answer
  const snippet = [fact, text].find((one) => typeof one === 'string' && one !== '')
  if (typeof url !== 'string' || !url.startsWith('http') || typeof snippet !== 'string') return []
  const heading = typeof title === 'string' && title !== '' ? title : url
  return [{ title: shorten(heading), url, snippet: shorten(snippet, 1000) }]
}

/** Topics come in groups, too, one level deep. */
function topicsOf(value: unknown, isInGroup = false): SearchResult[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((one: unknown) => {
    const { FirstURL: url, Text: text, Topics: topics } = Object(one) as Record<string, unknown>
    if (topics !== undefined) return isInGroup ? [] : topicsOf(topics, true)
    if (typeof url !== 'string' || !url.startsWith('http') || typeof text !== 'string') return []
    const [title = text] = text.split(' - ')
    return [{ title: shorten(title), url, snippet: shorten(text, 1000) }]
  })
}
