import { isToolError } from '../kernel/errors.ts'
import { toNamed } from '../policy/compiled-scope.ts'
import type { ToolGroups } from '../patterns/groups.ts'
import { cacheByIdentity, cachePair } from '../kernel/identity-cache.ts'
import { compilePatterns, type NamedTool } from '../patterns/patterns.ts'
import type { PolicyTool, Scope } from '../policy/scope.ts'
import type { ToolContract } from '../kernel/tool.ts'
import {
  dataKinds,
  type DataKind,
  type LabelRule,
  type OutsideEffect,
  outsideEffects,
  type ToolLabels,
} from '../kernel/tool-labels.ts'

/** The labels of a tool in a scope, and their sources. */
export interface FlowLabels {
  /** In the order of `dataKinds`. */
  readonly reads: readonly DataKind[]
  readonly effects: OutsideEffect
  /** The effect is outside: external or irreversible. */
  readonly isOutside: boolean
  /** The source of each: `label web.* (configuration)`, `its definition`. */
  readonly because: { readonly reads: readonly string[]; readonly effects: readonly string[] }
}

/**
 * The labels of a tool, field by field. Configuration and tenant contribute independently: the
 * label for the tool's exact name if they have one, otherwise all their matching patterns. The
 * contributions are merged: the union of reads, the strongest effect. The tool's own definition is
 * added unless one of them names the tool exactly: so an operator can lower the labels of a
 * definition, and a tenant never those of the configuration. Cached by identity, once for all
 * scopes of a tenant: there may be thousands.
 */
export function labelsOf(tool: PolicyTool, { labels = noLabels, groups }: Scope): FlowLabels {
  return cachedLabels(toSpoken(labels, groups), tool)
}

const noLabels: readonly LabelRule[] = Object.freeze([])

/** Everything that labels depend on besides the tool. */
type Spoken = Required<Pick<Scope, 'labels' | 'groups'>>

const toSpoken = cachePair((labels: Spoken['labels'], groups: Spoken['groups']): Spoken => ({
  labels,
  groups,
}))

const cachedLabels = cachePair((scope: Spoken, tool: PolicyTool): FlowLabels => {
  const words = [...findRules(tool, scope), ownWord(tool.contract)]
  const reading = heard(words, 'reads')
  const affecting = heard(words, 'effects')
  const said = new Set(reading.flatMap(({ labels }) => labels.reads ?? []))
  const effects = strongest(affecting.map(({ labels }) => labels.effects ?? 'none'))
  const heardEffects = affecting.filter(({ labels }) => labels.effects === effects)
  const heardReads = reading.filter(({ labels }) => labels.reads?.length)
  return Object.freeze({
    reads: Object.freeze(dataKinds.filter((kind) => said.has(kind))),
    effects,
    isOutside: isOutside(effects),
    because: { reads: heardReads.map(({ by }) => by), effects: heardEffects.map(({ by }) => by) },
  })
})

/** An effect that leaves the server, or can't be undone. */
export function isOutside(effect: OutsideEffect): boolean {
  return effect === 'external' || effect === 'irreversible'
}

interface Word {
  origin: LabelRule['origin'] | 'definition'
  isExact: boolean
  labels: ToolLabels
  by: string
}

function heard(words: readonly Word[], field: keyof ToolLabels): Word[] {
  const said = words.filter(({ labels }) => labels[field] !== undefined)
  const hasExact = said.some(({ isExact }) => isExact)
  return said.filter((word) => {
    if (word.origin === 'definition') return !hasExact
    if (word.isExact) return true
    return !said.some(({ origin, isExact }) => isExact && origin === word.origin)
  })
}

function strongest(effects: readonly OutsideEffect[]): OutsideEffect {
  const ranks = effects.map((effect) => outsideEffects.indexOf(effect))
  return outsideEffects[Math.max(0, ...ranks)] ?? 'none'
}

function findRules(tool: PolicyTool, { labels, groups }: Spoken): Word[] {
  const named = toNamed(tool)
  return labels.flatMap((rule): Word[] => {
    const fit = fits(rule, named, groups)
    if (fit === undefined) return []
    const closed = rule.closed ?? fit.closed
    const by = `label ${rule.pattern} (${rule.setBy})`
    const isExact = rule.pattern === named.name
    if (closed === undefined) return [{ ...rule, isExact, by }]
    return [{ origin: rule.origin, isExact, labels: strictest, by: `${by}, unreadable: ${closed}` }]
  })
}

/** An unreadable label must not open a leak. */
const strictest: ToolLabels = { reads: dataKinds, effects: 'irreversible' }

/** Matches any current or former name of the tool: a rename must not escape a label. */
function fits(
  rule: LabelRule,
  tool: NamedTool,
  groups: ToolGroups,
): { closed?: string } | undefined {
  try {
    const found = compilePatterns(patternsOf(rule), groups).findUnderAnyName(tool)
    return found === undefined ? undefined : {}
  } catch (error) {
    if (!isToolError(error)) throw error
    return { closed: error.message }
  }
}

/** The same list for the same rule, so that it is compiled once. */
const patternsOf = cacheByIdentity((rule: LabelRule): readonly string[] => [rule.pattern])

/**
 * The labels in the definition. They count if the operator's own authors wrote them; those of
 * gateway and authored tools are third-party claims, and a server's claims about its tools can only
 * make the labels stricter.
 */
function ownWord(contract: ToolContract): Word {
  const isOurs = contract.source === 'code' || contract.source === 'builtin'
  const own = isOurs ? contract.labels : undefined
  const effects = own?.effects ?? effectOf(contract)
  const by = own === undefined ? `derived from its effect ${contract.effect}` : 'its definition'
  return { origin: 'definition', isExact: false, labels: { ...own, effects }, by }
}

/** The reach of a tool that declares none. */
export function effectOf({ effect, openWorld, source }: ToolContract): OutsideEffect {
  if (effect === 'destructive') return 'irreversible'
  if (source === 'gateway' || source === 'api') return 'external'
  if (effect === 'read') return 'none'
  return openWorld ? 'external' : 'local'
}
