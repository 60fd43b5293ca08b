import type { Caller } from '../kernel/call.ts'
import { compileGlob } from '../kernel/text/glob.ts'
import { compilePatterns, type NamedTool } from '../patterns/patterns.ts'
import type { Groups } from '../patterns/groups.ts'
import type { LimitMeasure, LimitSpec } from './limit.ts'

/** A limit in force. */
export interface LimitRule {
  /** What its counts are kept under: the name, or `global:<name>`. */
  key: string
  name: string
  spec: LimitSpec
  /** Who set it, in words. */
  setBy: string
  /** Present when what is stored can't be read: it lets nothing through, and this is why. */
  closed?: string
}

/** A limit that a call has to keep, and whose count it is taken from. */
export interface AppliedLimit {
  rule: LimitRule
  /** `agent:support` */
  subject: string
}

/** All limits of a tenant, ready to be asked. */
export interface LimitSet {
  /** Some of them never let anything through. */
  readonly hasImpossible: boolean
  find(call: LimitedCall): AppliedLimit[]
  /** Those that count whatever this caller asks for, also for a tool that is not there. */
  findFor(caller: LimitedCall['caller']): AppliedLimit[]
}

export interface LimitedCall {
  tool: NamedTool
  caller: Pick<Caller, 'tenant' | 'agent' | 'principal' | 'onBehalfOf'>
}

/** Undefined where there is none, so that a call without limits asks one question. */
export function toLimitSet(rules: readonly LimitRule[], groups: Groups): LimitSet | undefined {
  if (rules.length === 0) return undefined
  const compiled = rules.map((rule) => compile(rule, groups))
  // Which limits look at a tool never changes; there are as many lists as tools are called.
  const byTool = new Map<string, Compiled[]>()
  return {
    hasImpossible: compiled.some(({ rule }) => isImpossible(rule)),
    find({ tool, caller }) {
      let fitting = byTool.get(tool.name)
      if (fitting === undefined) {
        fitting = compiled.filter(({ fitsTool }) => fitsTool(tool))
        byTool.set(tool.name, fitting)
      }
      return fitting.flatMap((one) => apply(one, subjectOf(one.rule.spec, tool, caller)))
    },
    findFor(caller) {
      const general = compiled.filter(({ rule: { spec, closed } }) => {
        return closed === undefined && spec.of !== 'tool' && spec.tools === undefined
      })
      return general.flatMap((one) => apply(one, subjectOf(one.rule.spec, undefined, caller)))
    },
  }
}

function apply({ rule, fitsSubject }: Compiled, id: string | undefined): AppliedLimit[] {
  if (id === undefined || !fitsSubject(id)) return []
  return [{ rule, subject: `${rule.spec.of}:${id}` }]
}

/** The measures a limit sets, with their numbers. */
export function measuresOf({ spec }: LimitRule): [LimitMeasure, number][] {
  const { of: _of, match: _match, tools: _tools, ...numbers } = spec
  return Object.entries(numbers).filter(([, most]) => most !== undefined) as [
    LimitMeasure,
    number,
  ][]
}

function isImpossible(rule: LimitRule): boolean {
  return rule.closed !== undefined || measuresOf(rule).some(([, most]) => most === 0)
}

interface Compiled {
  rule: LimitRule
  fitsTool(tool: NamedTool): boolean
  fitsSubject(id: string): boolean
}

function compile(rule: LimitRule, groups: Groups): Compiled {
  const { of: kind, match, tools } = rule.spec
  if (rule.closed !== undefined) return { rule, fitsTool: () => true, fitsSubject: () => true }
  const isOfTool = kind === 'tool' && match !== undefined
  const lists = [...(tools === undefined ? [] : [tools]), ...(isOfTool ? [[match]] : [])]
  try {
    const sets = lists.map((patterns) => compilePatterns(patterns, groups))
    return {
      rule,
      // Under any name: a tool that is renamed must not slip out of its limit.
      fitsTool: (tool) => sets.every((set) => set.findUnderAnyName(tool) !== undefined),
      fitsSubject: isOfTool || match === undefined ? () => true : toMatcher(match),
    }
  } catch (error) {
    const closed = error instanceof Error ? error.message : String(error)
    return compile({ ...rule, closed }, groups)
  }
}

function toMatcher(match: string): (id: string) => boolean {
  return match.includes('*') ? compileGlob(match) : (id) => id === match
}

/** Who a limit of this kind counts the call for. What acts for somebody counts for them. */
function subjectOf(
  { of: kind }: LimitSpec,
  tool: NamedTool | undefined,
  { tenant, agent, principal, onBehalfOf }: LimitedCall['caller'],
): string | undefined {
  if (kind === 'tenant') return tenant
  if (kind === 'tool') return tool?.name
  if (kind === 'agent') return agent
  const who = onBehalfOf ?? principal
  return who.kind === (kind === 'key' ? 'key' : 'user') ? who.id : undefined
}
