import type { JsonValue } from '../../kernel/json.ts'
import type { EvalCall, EvalExpectation } from '../../kernel/trial/tool-eval.ts'
import { isConditionLike } from '../../schema/tool-evals.ts'
import type { Condition } from '../../shapes/condition.ts'
import { matches } from '../../shapes/matches.ts'
import { matchPattern, type Mismatch } from '../match-pattern.ts'
import type { EvalOutcome, EvaluatedCall } from './eval-outcome.ts'

/** The expectations that an outcome does not meet, by place in `expect`. */
export function judgeEval(
  { calls: wanted = [], not = [], maxCalls, answer }: EvalExpectation,
  outcome: EvalOutcome,
): Mismatch[] {
  const { calls, stopped } = outcome
  const problems: Mismatch[] = stopped === undefined ? [] : [{ path: '/answer', message: stopped }]
  problems.push(...findMissingCalls(wanted, calls))
  for (const [index, tool] of not.entries()) {
    if (!calls.some((call) => call.tool === tool)) continue
    problems.push({ path: `/not/${index}`, message: `${tool} was called` })
  }
  if (maxCalls !== undefined && calls.length > maxCalls) {
    const message = `${calls.length} calls were made, not at most ${maxCalls}`
    problems.push({ path: '/maxCalls', message })
  }
  if (answer !== undefined && stopped === undefined) {
    problems.push(...judgeAnswer(answer, outcome))
  }
  return problems
}

/**
 * Expected calls and calls that were made, each used once. A call may fit several expectations, so
 * they are paired as a matching, not first come, first served.
 */
function findMissingCalls(
  wanted: readonly EvalCall[],
  calls: readonly EvaluatedCall[],
): Mismatch[] {
  const usable = calls.filter(isValid)
  const taken = new Map<number, number>()
  return wanted.flatMap((expected, index) => {
    const fits = wanted.map((one) => usable.map((call) => fitsCall(one, call)))
    return pair(index, { fits, taken, tried: new Set() })
      ? []
      : [{ path: `/calls/${index}`, message: describeMissing(expected, calls) }]
  })
}

/** The tool would refuse the input, so the model has not used it as expected. */
function isValid({ error }: EvaluatedCall): boolean {
  return error?.code !== 'invalid_input' && error?.code !== 'tool_not_found'
}

function fitsCall({ tool, input }: EvalCall, call: EvaluatedCall): boolean {
  if (call.tool !== tool) return false
  return input === undefined || matchPattern(input, call.input).length === 0
}

interface Pairing {
  fits: readonly (readonly boolean[])[]
  /** Call → the expectation that it meets. */
  taken: Map<number, number>
  tried: Set<number>
}

function pair(wanted: number, pairing: Pairing): boolean {
  const { fits, taken, tried } = pairing
  for (const [call, isFit] of (fits[wanted] ?? []).entries()) {
    if (!isFit || tried.has(call)) continue
    tried.add(call)
    const other = taken.get(call)
    if (other !== undefined && !pair(other, pairing)) continue
    taken.set(call, wanted)
    return true
  }
  return false
}

function describeMissing({ tool, input }: EvalCall, calls: readonly EvaluatedCall[]): string {
  const same = calls.filter((call) => call.tool === tool)
  const [last] = same.slice(-1)
  if (last === undefined) {
    const others = [...new Set(calls.map((call) => call.tool))]
    const instead = others.length === 0 ? 'no tool was called' : `called: ${others.join(', ')}`
    return `${tool} was not called; ${instead}`
  }
  if (!isValid(last)) return `${tool} was called with an input that it refuses${placesOf(last)}`
  const [first] = input === undefined ? [] : matchPattern(input, last.input)
  if (first === undefined) return `${tool} was called ${same.length} times, which is too few`
  return `${tool} was called with another input: ${first.path || '/'} ${first.message}`
}

function placesOf({ error }: EvaluatedCall): string {
  const [issue] = error?.issues ?? []
  return `: ${issue === undefined ? error?.message : `${issue.path || '/'} ${issue.message}`}`
}

function judgeAnswer(expected: JsonValue, { answer, calls }: EvalOutcome): Mismatch[] {
  if (!isConditionLike(expected)) {
    const value = typeof expected === 'string' ? answer : (parseJson(answer) ?? answer)
    const found = matchPattern(expected, value)
    return found.map(({ path, message }) => ({ path: `/answer${path}`, message }))
  }
  const roots = { answer, calls: calls.map(({ tool, input }) => ({ tool, input })) }
  // Checked when the eval was defined.
  if (matches(expected as Condition, roots)) return []
  return [{ path: '/answer', message: `does not hold: ${JSON.stringify(expected)}` }]
}

function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}
