import type { CribApi } from '../../core/crib-api.ts'
import type { OfferApi, OfferedTool, ToolOffer } from '../../core/offer/tool-offer.ts'
import { askFirst } from '../../core/pipeline/ask-first.ts'
import { toCallError } from '../../core/pipeline/call-error.ts'
import type { PipelinePorts } from '../../core/pipeline/ports.ts'
import { labelsOf } from '../../core/flow/labels-of.ts'
import { decide } from '../../core/policy/decide.ts'
import { cachePair } from '../../core/policy/identity-cache.ts'
import type { Scope } from '../../core/policy/scope.ts'
import type { RegisteredTool, Registry } from '../../core/registry.ts'
import type { TenantViews } from '../governance/tenant-views.ts'
import { requirePermission } from './permissions.ts'
import { assertWellFormed } from './well-formed.ts'

interface OfferAccessOptions {
  registry: Registry
  views: Pick<TenantViews, 'subscribe'>
  ports: PipelinePorts
}

/** What agents get to choose from. */
export function createOfferAccess({
  registry,
  views,
  ports,
}: OfferAccessOptions): OfferApi & Pick<CribApi, 'ask'> {
  return {
    offer(caller) {
      requirePermission(caller, 'tools.call')
      const known = ports.scopeFor(caller)
      const toOffer = (scope: Scope) => makeOffer(registry.list(caller.tenant), scope)
      return known instanceof Promise ? known.then(toOffer) : toOffer(known)
    },
    async ask(request) {
      try {
        requirePermission(request.caller, 'tools.call')
        assertWellFormed(request)
        return await askFirst(request, ports)
      } catch (error) {
        return { status: 'failed', error: toCallError(error) }
      }
    },
    watchOffers(tenant, listener) {
      const stop = [
        registry.watchLists((changed) => {
          if (changed === undefined || changed === tenant) listener()
        }),
        views.subscribe((changed) => {
          if (changed === tenant) listener()
        }),
      ]
      return () => stop.forEach((end) => end())
    },
  }
}

const makeOffer = cachePair((entries: readonly RegisteredTool[], scope: Scope): ToolOffer => {
  const tools = Object.freeze(entries.flatMap((entry) => toOffered(entry, scope)))
  let byName: Map<string, OfferedTool> | undefined
  return {
    tools,
    find(name) {
      byName ??= new Map([
        ...tools.map((tool) => [tool.wireName, tool] as const),
        ...tools.map((tool) => [tool.name, tool] as const),
      ])
      return byName.get(name)
    },
  }
})

/** What is hidden or not ready is not offered. */
function toOffered(entry: RegisteredTool, scope: Scope): OfferedTool[] {
  const { verdict } = decide(entry, scope)
  if (verdict === 'deny') return []
  const { contract } = entry
  const known = offered.get(entry)
  const asks = verdict === 'ask'
  const mayAsk = asks || labelsOf(entry, scope).isOutside
  const isSame = known?.asks === asks && known.mayAsk === mayAsk
  if (known && isSame && known.wireName === entry.wireName) return [known]
  const tool: OfferedTool = Object.freeze({
    name: contract.name,
    wireName: entry.wireName,
    title: contract.title,
    description: contract.description,
    icon: contract.icon,
    effect: contract.effect,
    idempotent: contract.idempotent,
    openWorld: contract.openWorld,
    pack: entry.pack,
    source: contract.source,
    inputSchema: contract.inputSchema,
    outputSchema: contract.outputSchema,
    examples: contract.examples,
    execution: contract.execution,
    timeoutMs: contract.timeoutMs,
    asks,
    mayAsk,
  })
  offered.set(entry, tool)
  return [tool]
}

/** Thousands of callers are offered the same objects. */
const offered = new WeakMap<RegisteredTool, OfferedTool>()
