import { z } from 'zod'
import { hasNext } from './get-issue.ts'

const usualPerPage = 20

export const stateField = z.enum(['open', 'closed', 'all']).nullable().describe('open by default')

/** The fields by which a list is read page by page. */
export function pageFields(items: string) {
  return {
    limit: z.int().min(1).max(100).nullable().describe(`${items} of a page (${usualPerPage})`),
    page: z.int().min(1).max(1000).nullable().describe('The page (1)'),
  }
}

export const nextPageField = z.int().nullable().describe('Null at the end')

interface Wanted {
  state: z.output<typeof stateField>
  limit: number | null
  page: number | null
}

/** The parameters of GitHub for a page, and how the next one is found. */
export function toPage({ state, limit, page }: Wanted) {
  const number = page ?? 1
  return {
    query: {
      state: state ?? 'open',
      per_page: String(limit ?? usualPerPage),
      page: String(number),
    },
    next: (headers: Headers) => (hasNext(headers) ? number + 1 : null),
  }
}
