import type { Caller } from '../../core/kernel/call.ts'
import { toShortNames } from '../../core/offer/short-names.ts'
import type { OfferedTool, Offers } from '../../core/offer/tool-offer.ts'
import type { PipelinePorts } from '../../core/pipeline/ports.ts'
import { labelsOf } from '../../core/flow/labels-of.ts'
import { decide } from '../../core/policy/decide.ts'
import { cachePair } from '../../core/kernel/identity-cache.ts'
import type { Scope } from '../../core/policy/scope.ts'
import type { RegisteredTool, Registry } from '../../core/registry.ts'
import { callToolTool, isMetaTool } from '../../core/kernel/meta-tools.ts'
import type { FoundToolStore } from '../../core/kernel/context/tool-finder.ts'
import type { Config } from '../config/config-schema.ts'
import { toCodeOffer } from './code-offer.ts'
import { createShortLists } from './short-lists.ts'
import { toOffer, type WholeOffer } from './to-offer.ts'

export interface OffersOptions {
  config: Pick<Config, 'toolSearch'>
  registry: Registry
  scopeFor: PipelinePorts['scopeFor']
  found: FoundToolStore
}

export function createOffers({ config, registry, scopeFor, found }: OffersOptions): Offers {
  const lists = createShortLists(config.toolSearch, found)
  const inScope = <T>(caller: Caller, use: (scope: Scope) => T | Promise<T>): T | Promise<T> => {
    const known = scopeFor(caller)
    return known instanceof Promise ? known.then(use) : use(known)
  }
  const toWhole = (scope: Scope) => makeWhole(registry.list(scope.tenant), scope)
  return {
    whole: async (caller) => (await inScope(caller, toWhole)).offer,
    offer: (caller) =>
      inScope(caller, (scope) => {
        const whole = toWhole(scope)
        const mode = caller.toolMode ?? scope.agent?.toolMode ?? 'list'
        const asCode = mode === 'code' ? toCodeOffer(whole) : undefined
        if (asCode !== undefined) return asCode
        return lists.isShort(whole, mode) ? lists.shorten(whole, caller) : whole.offer
      }),
  }
}

const makeWhole = cachePair((entries: readonly RegisteredTool[], scope: Scope): WholeOffer => {
  // Without skills, the tools that read them can only fail.
  const useful =
    scope.agent?.hasSkills === true ? entries : entries.filter(({ pack }) => pack !== 'skill')
  const usual = useful.flatMap((entry) => toOffered(entry, scope))
  const all = scope.agent?.shortNames === true ? toShortNames(usual) : usual
  return {
    offer: toOffer(all.filter(({ name }) => !isMetaTool(name))),
    metaTools: all.filter(({ name }) => isMetaTool(name)),
  }
})

/** Hidden and unavailable tools are not offered. */
function toOffered(entry: RegisteredTool, scope: Scope): OfferedTool[] {
  const { verdict } = decide(entry, scope)
  if (verdict === 'deny') return []
  const { contract } = entry
  const known = offered.get(entry)
  const asks = verdict === 'ask'
  // The name of the called tool is known only with the input.
  const mayAsk = asks || contract.name === callToolTool || labelsOf(entry, scope).isOutside
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
    ...(contract.icons && { icons: contract.icons }),
    ...(contract.form && { form: contract.form }),
    ...(contract.clientNeeds && { clientNeeds: contract.clientNeeds }),
    asks,
    mayAsk,
  })
  offered.set(entry, tool)
  return [tool]
}

/** Thousands of callers share the same objects. */
const offered = new WeakMap<RegisteredTool, OfferedTool>()
