import type { ApiRequest, HttpClient } from '../client/http-client.ts'
import type { Action } from './read-request.ts'

/** A page of a list. */
export interface AnswerPage {
  items: unknown[]
  next?: string
}

const largePage = 500

/** The answer; of a list all pages as one, unless the command asks for fewer. */
export async function readAnswer(
  { request: { fields }, spec }: Action,
  client: HttpClient,
  { path, request }: { path: string; request: ApiRequest },
): Promise<unknown> {
  const isPaged = fields.some(({ place, path: [name] }) => place === 'query' && name === 'after')
  const limit = request.query?.['limit'] ?? spec.pageSize
  if (limit !== undefined)
    return client.read(path, { ...request, query: { ...request.query, limit } })
  if (!isPaged || spec.record !== undefined) return client.read(path, request)
  const query = { ...request.query, limit: largePage }
  const { next, ...whole } = await client.read<AnswerPage>(path, { ...request, query })
  for (let after = next; after !== undefined;) {
    const page = await client.read<AnswerPage>(path, { ...request, query: { ...query, after } })
    whole.items.push(...page.items)
    // A cursor that does not move would read the same page for ever.
    after = page.next === after ? undefined : page.next
  }
  return whole
}
