import type { ServerEvent } from '@modelcontextprotocol/server'
import { listingChanges } from '../../../core/offer/listing-changes.ts'
import type { ToolOffer } from '../../../core/offer/tool-offer.ts'
import type { McpShared } from '../mcp-shared.ts'
import type { McpScope, McpRequestContext } from '../mcp-request-context.ts'
import { isShownAt } from '../tools/tool-pages.ts'
import { rest } from './outage.ts'
import { isOutage } from '../../../core/kernel/errors.ts'
import { createPause } from './pause.ts'
import { createSeenList, type SeenList } from './seen-list.ts'
import { digestPrompts, digestResources } from './library-digest.ts'
import { watchAddresses } from './watched-addresses.ts'

/** Which lists a client wants to hear of. */
export type WatchedList = 'tools' | 'prompts' | 'resources'

/** Watches for one client until it is stopped. */
export interface ListWatch {
  /** Something the client did may have changed its own list of tools. */
  look(): void
  /** From here on changes of this address are announced; the client may read it. */
  follow(uri: string): void
  unfollow(uri: string): void
  stop(): void
}

type Watching = Pick<McpShared, 'api' | 'onFault'>
type Tell = (event: ServerEvent) => void

export const allLists: readonly WatchedList[] = ['tools', 'prompts', 'resources']

/**
 * Notifies one client of changes in its offer, on any node. Every decision in a tenant is
 * announced; its meaning for this client's lists is found by comparing them.
 */
export function watchChanges(
  shared: Watching,
  requestContext: () => McpRequestContext,
  { tell, lists = allLists }: { tell: Tell; lists?: readonly WatchedList[] },
): ListWatch {
  const seen = lists.map((list) => ({ list, ...see(list, shared, requestContext) }))
  const doubtful = new Set<WatchedList>()
  const stopping = new AbortController()
  const { signal } = stopping
  async function compare({ list, hasChanged }: (typeof seen)[number]): Promise<void> {
    if (!doubtful.delete(list)) return
    try {
      if ((await hasChanged()) && !signal.aborted) tell({ kind: `${list}_list_changed` })
    } catch (error) {
      if (isOutage(error)) doubtful.add(list)
      // A caller who may not see tools any more is notified by the door, not here.
      else shared.onFault(error)
    }
  }
  const pause = createPause(async () => {
    for (const one of seen) await compare(one)
    if (doubtful.size > 0) void rest(signal).then(() => doubt(() => false))
  })
  function doubt(which: (list: WatchedList) => boolean): void {
    for (const { list, doubt: note } of seen.filter((one) => which(one.list))) {
      doubtful.add(list)
      note()
    }
    if (doubtful.size > 0 && !signal.aborted) pause.begin()
  }
  const unwatch = shared.api.watchOffers(requestContext().caller.tenant, () => doubt(() => true))
  const addresses = watchAddresses(shared, requestContext, (uri) =>
    tell({ kind: 'resource_updated', uri }),
  )
  return {
    look: () => doubt((list) => list === 'tools'),
    follow: addresses.follow,
    unfollow: addresses.unfollow,
    stop() {
      stopping.abort()
      pause.end()
      unwatch()
      addresses.stop()
    },
  }
}

function see(
  list: WatchedList,
  shared: Watching,
  requestContext: () => McpRequestContext,
): SeenList {
  const isEqual = (before: string, after: string) => before === after
  switch (list) {
    case 'tools':
      return createSeenList<ToolOffer>(
        () => shared.api.offer(requestContext().caller),
        (before, after) => !differsAt(requestContext().scope, before, after),
      )
    case 'prompts':
      return createSeenList(() => digestPrompts(shared, requestContext()), isEqual)
    case 'resources':
      return createSeenList(() => digestResources(shared, requestContext()), isEqual)
  }
}

function differsAt(scope: McpScope, before: ToolOffer, after: ToolOffer): boolean {
  return listingChanges(before, after).names.some((name) => isShownAt(name, scope))
}
