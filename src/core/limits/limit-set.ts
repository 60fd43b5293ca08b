import type { Caller } from '../kernel/call.ts'
import { compileGlob } from '../kernel/text/glob.ts'
import { compilePatterns, type NamedTool } from '../patterns/patterns.ts'
import type { ToolGroups } from '../patterns/groups.ts'
import type { LimitMeasure, LimitSpec } from './limit.ts'

/** An active limit. */
export interface LimitRule {
  /** The key of its counts: the name, or `global:<name>`. */
  key: string
  name: string
  spec: LimitSpec
  /** Its author, as text. */
  setBy: string
  /**
   * Set when the stored limit can't be read: it then lets nothing through, and this is the reason.
   */
  closed?: string
}

/** A limit that applies to a call, and the subject whose count it uses. */
export interface AppliedLimit {
  rule: LimitRule
  /** `agent:support` */
  subject: string
}

/** All limits of a tenant, compiled. */
export interface LimitSet {
  /** Some of them never let anything through. */
  readonly hasImpossible: boolean
  find(call: LimitedCall): AppliedLimit[]
  /** Limits that count every request of this caller, even for a missing tool. */
  findFor(caller: LimitedCall['caller']): AppliedLimit[]
}

export interface LimitedCall {
  tool: NamedTool
  caller: Pick<Caller, 'tenant' | 'agent' | 'principal' | 'onBehalfOf'>
}

/** Undefined without limits, so that a call without limits makes a single check. */
export function toLimitSet(rules: readonly LimitRule[], groups: ToolGroups): LimitSet | undefined {
  if (rules.length === 0) return undefined
  const compiled = rules.map((rule) => compile(rule, groups))
  // Which limits apply to a tool never changes; there is one list per called tool.
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

function compile(rule: LimitRule, groups: ToolGroups): Compiled {
  const { of: kind, match, tools } = rule.spec
  if (rule.closed !== undefined) return { rule, fitsTool: () => true, fitsSubject: () => true }
  const isOfTool = kind === 'tool' && match !== undefined
  const lists = [...(tools === undefined ? [] : [tools]), ...(isOfTool ? [[match]] : [])]
  try {
    const sets = lists.map((patterns) => compilePatterns(patterns, groups))
    return {
      rule,
      // By any name: renaming a tool must not escape its limit.
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

/**
 * The subject that a limit of this kind counts the call for. Calls on behalf of a principal count
 * for that principal.
 */
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
