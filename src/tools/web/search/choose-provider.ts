import { ToolError } from '../../../core/kernel/errors.ts'
import { duckduckgo } from './duckduckgo.ts'
import { exa } from './exa.ts'
import type { SearchProvider, SearchSecret } from './search-provider.ts'
import { serpapi } from './serpapi.ts'
import { tavily } from './tavily.ts'

export const searchProviders = { tavily, exa, serpapi, duckduckgo } satisfies Record<
  string,
  SearchProvider
>

export type SearchProviderName = keyof typeof searchProviders
/** `auto`: the first with a key, in this order, else DuckDuckGo. */
export const searchChoices = ['auto', 'tavily', 'exa', 'serpapi', 'duckduckgo'] as const
export type SearchChoice = (typeof searchChoices)[number]

type Keys = Partial<Record<SearchSecret, string | undefined>>

/** The provider and its key. Throws `secret_missing` for a chosen one without its key. */
export function chooseProvider(
  choice: SearchChoice,
  keys: Keys,
): { name: SearchProviderName; provider: SearchProvider; key: string } {
  const name = choice === 'auto' ? firstWithKey(keys) : choice
  const provider: SearchProvider = searchProviders[name]
  if (provider.secret === undefined) return { name, provider, key: '' }
  const key = keys[provider.secret]
  if (key !== undefined && key !== '') return { name, provider, key }
  throw new ToolError(
    'secret_missing',
    `The search provider ${provider.title} needs ${provider.secret}, which is not set`,
    {
      fix: `Set it with: toolcrib secrets set ${provider.secret}`,
      details: { keys: [provider.secret] },
    },
  )
}

function firstWithKey(keys: Keys): SearchProviderName {
  if (keys.tavily_api_key) return 'tavily'
  if (keys.exa_api_key) return 'exa'
  return keys.serpapi_api_key ? 'serpapi' : 'duckduckgo'
}
