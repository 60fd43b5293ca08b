import { ToolError } from '../../../core/kernel/errors.ts'
import { shorten } from '../../../core/net/upstream-error.ts'
import type { SearchResult } from './search-provider.ts'

const maxSnippet = 1000

/** The names that a provider has for the fields of a result. */
export interface ResultFields {
  url: string
  snippet: readonly string[]
  score?: string
  published?: string
}

/** Results of a provider in our shape. Those without an address on the web are left out. */
export function readResults(found: unknown, fields: ResultFields): SearchResult[] {
  if (!Array.isArray(found)) return []
  return found.flatMap((one: unknown) => {
    const record = Object(one) as Record<string, unknown>
    const url = textOf(record[fields.url])
    if (!/^https?:\/\//i.test(url)) return []
    const snippet = fields.snippet.map((key) => textOf(record[key])).find((text) => text !== '')
    const score = fields.score === undefined ? undefined : record[fields.score]
    const published = fields.published === undefined ? '' : textOf(record[fields.published])
    return [
      {
        title: shorten(textOf(record['title'])) || url,
        url,
        snippet: shorten(snippet ?? '', maxSnippet),
        ...(typeof score === 'number' && { score }),
        ...(published !== '' && { published }),
      },
    ]
  })
}

/** Throws for an answer that is JSON, but not of this API. */
export function assertHas(value: unknown, key: string, from: string): Record<string, unknown> {
  const record = Object(value) as Record<string, unknown>
  if (key in record) return record
  throw new ToolError('upstream_failed', `${from} answered without ${key}`, {
    retryable: false,
    fix: `Check the configured address of ${from}.`,
  })
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(' … ')
  return typeof value === 'string' ? value : ''
}
