/** What a route needs to be asked about one thing: its path parameters and, where it takes one, a body. */
export interface Step {
  params: Readonly<Record<string, string>>
  /** Parameters that are no ids, and stay when a missing one is asked for. */
  fixed?: readonly string[]
  query?: string
  body?: unknown
  /** Where it is not 404: nobody but the operators of the whole crib may ask, whatever there is. */
  status?: 403
  headers?: Readonly<Record<string, string>>
  /**
   * Why the answer is not 404: the route makes something of one's own under that name, or looks at
   * nothing that belongs to a tenant.
   */
  otherwise?: string
}

/** A route of the OpenAPI document: `GET /api/v1/calls/{id}`. */
export type RouteName = `${string} /${string}`

/** One request for a step. */
export function toRequest(
  operation: RouteName,
  step: Step,
  key: string,
): { path: string; init: RequestInit } {
  const [method = 'GET', template = '/'] = operation.split(' ')
  const path = template.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = step.params[name]
    if (value === undefined) throw new Error(`${operation} needs ${name}`)
    return encodeURIComponent(value)
  })
  const isJson = step.body !== undefined && !(step.body instanceof Uint8Array)
  return {
    path: path + (step.query ?? ''),
    init: {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(isJson && { 'content-type': 'application/json' }),
        ...step.headers,
      },
      ...(step.body !== undefined && {
        body: (isJson ? JSON.stringify(step.body) : step.body) as string,
      }),
    },
  }
}

/** The same step for something that is nowhere: each id with its last character changed. */
export function toMissing(step: Step): Step {
  const params = Object.entries(step.params).map(([name, value]) => [
    name,
    step.fixed?.includes(name) ? value : toOther(value),
  ])
  return { ...step, params: Object.fromEntries(params) as Record<string, string> }
}

function toOther(value: string): string {
  const last = value.at(-1) ?? ''
  return value.slice(0, -1) + (last === '0' ? '1' : '0')
}

/** An answer without what differs between any two requests: their ids, and the name that was asked for. */
export async function toPlain(response: Response, step: Step): Promise<string> {
  let text = await response.text()
  for (const value of Object.values(step.params)) {
    text = text.replaceAll(value, '<id>').replaceAll(encodeURIComponent(value), '<id>')
  }
  return text
    .replaceAll(/"requestId":"[^"]*"/g, '"requestId":"<request>"')
    .replaceAll(/ref_[0-9a-f]+/g, '<refusal>')
}
