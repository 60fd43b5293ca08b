import type { Web } from '../../../core/kernel/context/web.ts'

/** One result, in the same shape for every provider. */
export interface SearchResult {
  title: string
  url: string
  snippet: string
  /** From 0 to 1, where the provider gives one. */
  score?: number
  /** As the provider writes it. */
  published?: string
}

export interface SearchRequest {
  web: Web
  signal: AbortSignal
  query: string
  limit: number
  baseUrl: string
  /** Empty for a provider without keys. */
  key: string
}

export interface SearchAnswer {
  results: SearchResult[]
  /** A remark about the results, for the reader. */
  note?: string
}

/** A search engine behind an API. */
export interface SearchProvider {
  /** For messages. */
  title: string
  baseUrl: string
  /** The secret with its key; undefined if it needs none. */
  secret?: SearchSecret
  search(request: SearchRequest): Promise<SearchAnswer>
}

export type SearchSecret = 'tavily_api_key' | 'exa_api_key' | 'serpapi_api_key'

/** How to fix a refused key. */
export function keyFix(secret: SearchSecret): string {
  return `Check the key: toolcrib secrets set ${secret}`
}

/** The address of an endpoint; a configured address may have a path of its own. */
export function endpoint(baseUrl: string, path: string): URL {
  return new URL(`${baseUrl.replace(/\/+$/, '')}${path}`)
}
