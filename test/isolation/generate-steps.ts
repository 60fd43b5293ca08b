import type { ApiDocument } from './sample-request.ts'
import { toSample } from './sample-request.ts'
import type { RouteName, Step } from './walk.ts'

/** What a walk knows beside the description of the API. */
export interface Known {
  document: ApiDocument
  /** By noun, as paths name it: the id of one that belongs to the other tenant. */
  instances: Readonly<Record<string, string>>
  /** What of a step can't be told from the description. */
  special: Readonly<Record<RouteName, Partial<Step>>>
  /** Creates something for the other tenant. */
  create(operation: RouteName, body: unknown): Promise<Response>
}

/** Every route that the description names. */
export function routesOf(document: ApiDocument): RouteName[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method): RouteName => `${method.toUpperCase()} ${path as '/'}`),
  )
}

/**
 * A step for every operation under `/api/v1` that takes an id. A noun without an instance gets one from its
 * own operation: `POST /api/v1/<noun>` with the body that its schema describes.
 */
export async function generateSteps(known: Known): Promise<Record<RouteName, Step>> {
  const made = new Map(Object.entries(known.instances))
  const steps: Record<RouteName, Step> = {}
  for (const operation of routesOf(known.document)) {
    if (!/ \/api\/v1\/.*\{/.test(operation)) continue
    const special = known.special[operation] ?? {}
    const params = { ...special.params }
    for (const { name, noun } of paramsOf(operation)) {
      params[name] ??= made.get(noun) ?? (await createOne(known, { noun, name, operation }))
      if (special.params?.[name] === undefined) made.set(noun, params[name])
    }
    const body = 'body' in special ? special.body : sampleBody(known.document, operation)
    steps[operation] = { ...special, params, ...(body !== undefined && { body }) }
  }
  return steps
}

/** The parameters of a path; the noun of each is what stands before it. */
function paramsOf(operation: RouteName): { name: string; noun: string }[] {
  const parts = operation.split('/')
  return parts.flatMap((part, at) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    return name === undefined ? [] : [{ name, noun: parts[at - 1] ?? '' }]
  })
}

async function createOne(
  { document, create }: Known,
  { noun, name, operation }: { noun: string; name: string; operation: RouteName },
): Promise<string> {
  const making: RouteName = `POST /api/v1/${noun}`
  const help = `The walk has no ${noun} of another tenant to ask ${operation} for. Let ${making} answer 201 with its ${name} to the body that its schema describes, or add one to test/isolation/make-instances.ts.`
  if (document.paths[`/api/v1/${noun}`]?.['post'] === undefined) throw new Error(help)
  const response = await create(making, sampleBody(document, making))
  const text = await response.text()
  if (response.status !== 201) throw new Error(`${help} It answered ${response.status}: ${text}`)
  const id = (JSON.parse(text) as Record<string, unknown>)[name]
  if (typeof id !== 'string') throw new Error(help)
  return id
}

function sampleBody(document: ApiDocument, operation: RouteName): unknown {
  const [method = '', path = ''] = operation.split(' ')
  const described = document.paths[path]?.[method.toLowerCase()]
  if (described === undefined) return undefined
  return toSample(document, { path, operation: described, name: 'sample', isFull: false }).body
}
