import type { ServerEvent } from '@modelcontextprotocol/server'
import { isRecord } from '../../../core/kernel/json/json-type.ts'
import type { McpShared } from '../mcp-shared.ts'
import type { McpRequestContext } from '../mcp-request-context.ts'
import { allLists, watchChanges } from './list-changes.ts'
import { mayRead } from './may-read.ts'
import { maxAddresses } from './watched-addresses.ts'

/** A `subscriptions/listen` that is about to be served. */
export interface Listening {
  requestContext: McpRequestContext
  /** As it is served: with addresses that its caller may read, and no others. */
  body: unknown
}

const wishNames = {
  tools: 'toolsListChanged',
  prompts: 'promptsListChanged',
  resources: 'resourcesListChanged',
} as const

/** The most addresses checked at once: each may be a request to another server. */
const atOnce = 20

export function isListening(body: unknown): boolean {
  return isRecord(body) && body['method'] === 'subscriptions/listen'
}

/** Leaves out addresses that would never be announced; the acknowledgement lists the others. */
export async function toListening(
  shared: McpShared,
  requestContext: McpRequestContext,
  body: unknown,
): Promise<Listening> {
  const asked = addressesOf(body)
  if (asked.length === 0) return { requestContext, body }
  const readable: string[] = []
  const wanted = [...new Set(asked)].slice(0, maxAddresses)
  for (let from = 0; from < wanted.length; from += atOnce) {
    const some = wanted.slice(from, from + atOnce)
    const found = await Promise.all(some.map((uri) => mayRead(shared, requestContext, uri)))
    readable.push(...some.filter((_uri, at) => found[at]))
  }
  const notifications = { ...wishesOf(body), resourceSubscriptions: readable }
  const { params, ...rest } = body as { params: object }
  return { requestContext, body: { ...rest, params: { ...params, notifications } } }
}

/** Starts the requested notifications and nothing else: unwatched lists are not compared. */
export function listen(
  shared: McpShared,
  { requestContext, body }: Listening,
  tell: (event: ServerEvent) => void,
): () => void {
  const wishes = wishesOf(body)
  const lists = allLists.filter((list) => wishes[wishNames[list]] === true)
  const watch = watchChanges(shared, () => requestContext, { tell, lists })
  for (const uri of addressesOf(body)) watch.follow(uri)
  return watch.stop
}

function wishesOf(body: unknown): Readonly<Record<string, unknown>> {
  const params = isRecord(body) ? body['params'] : undefined
  const wishes = isRecord(params) ? params['notifications'] : undefined
  return isRecord(wishes) ? wishes : {}
}

/** Malformed ones are left for the SDK to refuse. */
function addressesOf(body: unknown): readonly string[] {
  const { resourceSubscriptions: uris } = wishesOf(body)
  return Array.isArray(uris) && uris.every((uri) => typeof uri === 'string') ? uris : []
}
