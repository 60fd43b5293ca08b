import { ToolError } from '../core/kernel/errors.ts'
import type { OfferedTool, ToolOffer } from '../core/offer/tool-offer.ts'
import type { CribClient } from './crib-client.ts'

/** As whom a crib elsewhere is used. */
export interface RemoteAs {
  agent?: string
  skill?: string
  sessionId?: string
}

/** `isAnew`: the crib is asked, however fresh what is known may be. */
export type ReadOffer = (options?: { isAnew?: boolean }) => Promise<ToolOffer>

interface KnownOffer {
  offer: ToolOffer
  etag: string | undefined
  checkedAt: number
}

const pageSize = 1000
const maxTries = 4

/**
 * The offer of a remote server, read in pages and cached: after `freshMs` it asks whether anything
 * has changed, which costs an empty answer. Unchanged tools stay the same objects, so that anything
 * compiled from them is kept too.
 */
export function createRemoteOffer(
  client: CribClient,
  { freshMs, ...as }: RemoteAs & { freshMs: number },
): ReadOffer {
  const query = toOfferQuery(as)
  let known: KnownOffer | undefined
  let reading: Promise<ToolOffer> | undefined

  async function refresh(): Promise<ToolOffer> {
    for (let attempt = 1; attempt <= maxTries; attempt += 1) {
      const read = await readOffer(client, query, known?.etag)
      if (read === 'changed') continue
      if (read !== 'same') known = { ...read, offer: toOffer(read, known?.offer), checkedAt: 0 }
      if (known === undefined) break
      known.checkedAt = Date.now()
      return known.offer
    }
    throw new ToolError(
      'upstream_failed',
      'The tools of the crib change faster than they are read',
      {
        fix: 'Try again in a moment.',
      },
    )
  }

  return async ({ isAnew = false } = {}) => {
    const isFresh = known !== undefined && Date.now() - known.checkedAt < freshMs
    if (known !== undefined && isFresh && !isAnew) return known.offer
    // A read in progress may predate the latest change.
    if (isAnew && reading !== undefined) await reading.catch(() => undefined)
    reading ??= refresh().finally(() => (reading = undefined))
    return reading
  }
}

/** The caller of this offer, as the server is asked for it. */
export function toOfferQuery({ agent, skill, sessionId }: RemoteAs) {
  return { agent, skill, sessionId }
}

interface WholeOffer {
  mode: ToolOffer['mode']
  tools: OfferedTool[]
  etag: string | undefined
}

type OfferReading = WholeOffer | 'same' | 'changed'

interface OfferPage {
  mode: ToolOffer['mode']
  items: OfferedTool[]
  next?: string
}

/** All pages of one state of the offer; `changed` when it became another between two of them. */
async function readOffer(
  client: CribClient,
  query: Readonly<Record<string, string | undefined>>,
  knownTag: string | undefined,
): Promise<OfferReading> {
  const tools: OfferedTool[] = []
  let mode: ToolOffer['mode'] = 'list'
  let etag: string | undefined
  let after: string | undefined
  do {
    const response = await client.send('/offer', {
      query: { ...query, after, limit: pageSize },
      isRepeatable: true,
      ...(after === undefined &&
        knownTag !== undefined && { headers: { 'if-none-match': knownTag } }),
    })
    if (response.status === 304) return 'same'
    const tag = response.headers.get('etag') ?? undefined
    if (after !== undefined && tag !== etag) return 'changed'
    etag = tag
    const page = (await response.json()) as OfferPage
    mode = page.mode
    tools.push(...page.items)
    // A cursor that does not move would turn the same page for ever.
    if (page.next === after) break
    after = page.next
  } while (after !== undefined)
  return { mode, tools, etag }
}

function toOffer({ tools, mode }: WholeOffer, before: ToolOffer | undefined): ToolOffer {
  const kept = tools.map((tool) => {
    const was = before?.find(tool.name)
    return was !== undefined && JSON.stringify(was) === JSON.stringify(tool)
      ? was
      : Object.freeze(tool)
  })
  const byName = new Map([
    ...kept.map((tool) => [tool.wireName, tool] as const),
    ...kept.map((tool) => [tool.name, tool] as const),
  ])
  return { mode, tools: Object.freeze(kept), find: (name) => byName.get(name) }
}
