import { addUsage } from '../../conversations/add-usage.ts'
import { noUsage, type TurnUsage } from '../../conversations/conversation.ts'
import type { JsonValue } from '../../kernel/json.ts'
import type { ToolEval } from '../../kernel/trial/tool-eval.ts'
import type { Mismatch } from '../match-pattern.ts'
import { labelOf } from './eval-label.ts'
import type { EvalOutcome, EvalSeat, EvaluatedCall } from './eval-outcome.ts'
import { judgeEval } from './judge-eval.ts'
import { type PassRate, toPassRate } from './pass-bounds.ts'

/** One run of an eval. */
export interface EvalAttempt {
  passed: boolean
  /** The expectations that it did not meet. */
  problems: readonly Mismatch[]
  calls: readonly EvaluatedCall[]
  answer: string
  durationMs: number
}

/** `scored`: some runs passed. */
export type EvalStatus = 'passed' | 'scored' | 'failed'

/** The outcome of one eval with one model. */
export interface EvalResult extends PassRate {
  label: string
  agent?: string
  model: string
  status: EvalStatus
  usage: TurnUsage
  outcomes: readonly EvalAttempt[]
}

/** An eval with the model that is to meet it, or the reason why it can't be run. */
export interface EvalJob {
  test: ToolEval
  seat: EvalSeat | { agent?: string; model: string; problems: readonly Mismatch[] }
}

/** How evals are run. */
export interface EvalRunning {
  /** Of each eval with each model. */
  runs: number
  atOnce: number
  signal: AbortSignal
  now(): number
}

/** Runs evals, several at once. Rejects when the signal aborts. */
export async function runEvals(
  jobs: readonly EvalJob[],
  running: EvalRunning,
): Promise<EvalResult[]> {
  const tasks = jobs.flatMap((job, index) =>
    Array.from({ length: running.runs }, () => ({ job, index })),
  )
  const done: { index: number; run: EvalAttempt; usage: TurnUsage }[] = []
  let next = 0
  // The first that rejects stops the others: nobody gets their results.
  const failing = new AbortController()
  const signal = AbortSignal.any([running.signal, failing.signal])
  async function work(): Promise<void> {
    for (let task = tasks[next++]; task !== undefined; task = tasks[next++]) {
      const { index, job } = task
      signal.throwIfAborted()
      done.push({ index, ...(await runOnce(job, { ...running, signal })) })
    }
  }
  try {
    const workers = Math.min(running.atOnce, tasks.length)
    await Promise.all(Array.from({ length: workers }, work))
  } catch (error) {
    failing.abort(error)
    throw error
  }
  return jobs.map((job, index) =>
    toResult(
      job,
      done.filter((one) => one.index === index),
    ),
  )
}

/** Of a report: more helps nobody, and a request of ten thousand runs must fit into memory. */
const maxShownCalls = 50
const maxShownChars = 2000

async function runOnce(
  { test, seat }: EvalJob,
  { signal, now }: EvalRunning,
): Promise<{ run: EvalAttempt; usage: TurnUsage }> {
  const begin = now()
  if (!('run' in seat)) {
    const run = { passed: false, problems: seat.problems, calls: [], answer: '', durationMs: 0 }
    return { run, usage: noUsage }
  }
  const outcome = await seat.run(test, signal)
  const problems = judgeEval(test.expect, outcome)
  const durationMs = Math.max(0, now() - begin)
  const run = { passed: problems.length === 0, problems, ...toShown(outcome), durationMs }
  return { run, usage: outcome.usage }
}

function toShown({ calls, answer }: EvalOutcome): Pick<EvalAttempt, 'calls' | 'answer'> {
  return {
    calls: calls.slice(0, maxShownCalls).map((call) => ({ ...call, input: cut(call.input) })),
    answer: cutText(answer),
  }
}

function cut(input: JsonValue): JsonValue {
  const text = JSON.stringify(input)
  return text.length <= maxShownChars ? input : cutText(text)
}

function cutText(text: string): string {
  return text.length <= maxShownChars ? text : `${text.slice(0, maxShownChars)} …`.toWellFormed()
}

/** Further runs of the same eval with the same model, as one result; undefined for none. */
export function joinResults(results: readonly EvalResult[]): EvalResult | undefined {
  const [first] = results
  if (first === undefined) return undefined
  const outcomes = results.flatMap((result) => result.outcomes)
  const usage = results.reduce((sum, result) => addUsage(sum, result.usage), noUsage)
  const { label, agent, model } = first
  return {
    label,
    ...(agent !== undefined && { agent }),
    model,
    ...toScore(outcomes),
    usage,
    outcomes,
  }
}

function toScore(outcomes: readonly EvalAttempt[]): PassRate & Pick<EvalResult, 'status'> {
  const rate = toPassRate(outcomes.filter(({ passed }) => passed).length, outcomes.length)
  const status = rate.passed === rate.runs ? 'passed' : rate.passed === 0 ? 'failed' : 'scored'
  return { status, ...rate }
}

function toResult(
  { test, seat: { agent, model } }: EvalJob,
  done: readonly { run: EvalAttempt; usage: TurnUsage }[],
): EvalResult {
  const outcomes = done.map(({ run }) => run)
  return {
    label: labelOf(test),
    ...(agent !== undefined && { agent }),
    model,
    ...toScore(outcomes),
    usage: done.reduce((sum, { usage }) => addUsage(sum, usage), noUsage),
    outcomes,
  }
}
