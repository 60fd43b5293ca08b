import { askGithub, type GithubParts, type GithubRequest } from './ask-github.ts'
import { hasNext } from './get-issue.ts'

const mostPages = 3

/** The first three hundred items of a list. */
export async function allPages(
  request: GithubRequest,
  toItems: (value: unknown) => unknown[],
  parts: GithubParts,
): Promise<{ items: unknown[]; hasMore: boolean }> {
  const items: unknown[] = []
  for (let page = 1; page <= mostPages; page += 1) {
    const query = { ...request.query, per_page: '100', page: String(page) }
    const { value, headers } = await askGithub({ ...request, query }, parts)
    items.push(...toItems(value))
    if (!hasNext(headers)) return { items, hasMore: false }
  }
  return { items, hasMore: true }
}
