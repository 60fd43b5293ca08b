import type { OfferApi, Offers } from '../../core/offer/tool-offer.ts'
import type { PipelinePorts } from '../../core/pipeline/ports.ts'
import type { Registry } from '../../core/registry.ts'
import type { LibrarySource } from '../../core/library/library-api.ts'
import type { TenantViews } from '../governance/tenant-views.ts'
import { requirePermission } from '../../core/operations/require-permission.ts'

interface OfferAccessOptions {
  registry: Registry
  views: Pick<TenantViews, 'subscribe'>
  ports: PipelinePorts
  offers: Offers
  /** Prompts and resources change in addition to the tools. */
  library: readonly LibrarySource[]
}

/** The tools, prompts and resources that agents can choose from. */
export function createOfferAccess(options: OfferAccessOptions): OfferApi {
  const { registry, views, ports, offers, library } = options
  return {
    offer(caller) {
      requirePermission(caller, 'tools.call')
      return offers.offer(caller)
    },
    async assertAgent(caller) {
      if (caller.agent !== undefined) await ports.scopeFor(caller)
    },
    watchOffers(tenant, listener) {
      const stop = [
        registry.watchLists((changed) => {
          if (changed === undefined || changed === tenant) listener()
        }),
        views.subscribe((changed) => {
          if (changed === tenant) listener()
        }),
        ...library.map((source) =>
          source.watch?.(({ tenant: changed, uri }) => {
            if (uri === undefined && (changed === undefined || changed === tenant)) listener()
          }),
        ),
      ]
      return () => stop.forEach((end) => end?.())
    },
  }
}
