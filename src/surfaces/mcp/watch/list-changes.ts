import type { ServerEvent } from '@modelcontextprotocol/server'
import type { ToolOffer } from '../../../core/offer/tool-offer.ts'
import type { McpDesk } from '../mcp-desk.ts'
import type { McpVisit } from '../mcp-visit.ts'

/** Changes come in groups: a client that asks after the last of them has seen them all. */
const pauseMs = 100

/** Watches for one client until it is stopped. */
export interface ListWatch {
  /** Something the client did may have changed its own list of tools. */
  look(): void
  stop(): void
}

/**
 * Tells one client of changes in what it is offered, on whatever node they were made. Tools are
 * compared; of prompts and resources it is known only that they may have changed.
 */
export function watchChanges(
  { api, onFault }: Pick<McpDesk, 'api' | 'onFault'>,
  visit: () => McpVisit,
  tell: (event: ServerEvent) => void,
): ListWatch {
  const { tenant } = visit().caller
  const uris = new Set<string>()
  /** What may have changed since the client was last told. */
  let doubtful: 'nothing' | 'tools' | 'lists' = 'nothing'
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let known: ToolOffer | undefined
  const readOffer = async () => api.offer(visit().caller)
  const ready = readOffer().then(
    (offer) => (known = offer),
    () => undefined,
  )
  async function flush(): Promise<void> {
    timer = undefined
    const changed = [...uris]
    const about = doubtful
    uris.clear()
    doubtful = 'nothing'
    for (const uri of changed) tell({ kind: 'resource_updated', uri })
    if (about === 'nothing') return
    await ready
    const offer = await readOffer()
    if (isStopped) return
    if (offer !== known) tell({ kind: 'tools_list_changed' })
    known = offer
    if (about === 'tools') return
    tell({ kind: 'prompts_list_changed' })
    tell({ kind: 'resources_list_changed' })
  }
  function wake(): void {
    timer ??= setTimeout(() => {
      // Whoever may not see tools any more is told by the door, not here.
      flush().catch((error: unknown) => onFault(error))
    }, pauseMs)
  }
  const stops = [
    api.watchOffers(tenant, () => {
      doubtful = 'lists'
      wake()
    }),
    api.watchResources(tenant, (uri) => {
      if (uris.size < maxPendingUris) uris.add(uri)
      wake()
    }),
  ]
  return {
    look() {
      if (doubtful === 'nothing') doubtful = 'tools'
      if (!isStopped) wake()
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
      for (const stop of stops) stop()
    },
  }
}

const maxPendingUris = 1000
