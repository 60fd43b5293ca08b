import createClient from 'openapi-fetch'
import type { components, paths } from './schema.ts'
import { fromAnswer } from './problem.ts'
import { session } from './session.ts'

/** Schemas of the API, by their names in the OpenAPI document: `Api<'ToolDetail'>`. */
export type Api<Name extends keyof components['schemas']> = components['schemas'][Name]

/** The public API, typed from its own description. The console has no other door. */
export const api = createClient<paths>({ baseUrl: window.location.origin, fetch: ask })

/** Sends a request as the signed-in person, in the tenant they act in. */
export async function ask(request: Request): Promise<Response> {
  const tenant = session.tenant()
  if (tenant !== undefined) request.headers.set('toolcrib-tenant', tenant)
  const response = await fetch(request)
  if (response.status === 401) session.end()
  return response
}

interface Answer<Data> {
  data?: Data
  error?: unknown
  response: Response
}

/** The data of an answer, or an ApiProblem: `await read(api.GET('/api/v1/tools'))`. */
export async function read<Data>(answer: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await answer
  if (!response.ok) throw fromAnswer(error, response)
  return data as Data
}
