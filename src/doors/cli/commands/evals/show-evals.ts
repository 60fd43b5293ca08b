import type { EvalResult, EvalAttempt } from '../../../../core/trials/evals/run-evals.ts'
import type { EvalReport } from '../../../../features/evals/eval-report.ts'
import { counted } from '../../output/counted.ts'
import { toSafeLine } from '../../output/safe-text.ts'
import type { Format, Screen } from '../../output/screen.ts'
import type { JunitSuite } from '../../output/to-junit.ts'

const marks: Readonly<Record<EvalResult['status'], [Format, string]>> = {
  passed: ['green', '✓'],
  scored: ['yellow', '~'],
  failed: ['red', '✗'],
}

/** One result as it comes, with its place among all. */
export function showResult(
  screen: Screen,
  result: EvalResult,
  { name, done, total }: { name: string; done: number; total: number },
): void {
  const { label, agent, model, status, runs } = result
  const [format, mark] = marks[status]
  const as = agent === undefined || name === `agent:${agent}` ? '' : ` as ${agent}`
  const facts = [model || 'no model', ...(runs > 1 ? [toRate(result)] : []), toUse(result)]
  const place = screen.style('dim', `[${done}/${total}]`)
  const head = `${place} ${screen.style(format, mark)} ${toSafeLine(name)}${toSafeLine(as)}: ${toSafeLine(label)}`
  screen.out(`${head} ${screen.style('dim', facts.map(toSafeLine).join(', '))}`)
  for (const { problem, count, calls } of groupProblems(result.outcomes)) {
    const often = runs > 1 ? `${count} of ${runs} runs: ` : ''
    screen.out(`    ${often}${toSafeLine(problem)}`)
    if (calls !== '') screen.out(screen.style('dim', `      ${toSafeLine(calls)}`))
  }
}

/** The same problem of several runs once. */
function groupProblems(
  outcomes: readonly EvalAttempt[],
): { problem: string; count: number; calls: string }[] {
  const groups = new Map<string, { problem: string; count: number; calls: string }>()
  for (const { problems, calls } of outcomes) {
    for (const { path, message } of problems) {
      const problem = `${path} ${message}`
      const group = groups.get(problem) ?? { problem, count: 0, calls: toCallLine(calls) }
      groups.set(problem, { ...group, count: group.count + 1 })
    }
  }
  return [...groups.values()]
}

const maxInputChars = 60

function toCallLine(calls: EvalAttempt['calls']): string {
  if (calls.length === 0) return ''
  const texts = calls.map(({ tool, input, status }) => {
    const json = JSON.stringify(input)
    const shown = json.length <= maxInputChars ? json : `${json.slice(0, maxInputChars)}…`
    return `${tool} ${shown}${status === 'completed' ? '' : ` (${status})`}`
  })
  return `It called ${texts.join(', ')}`
}

function toRate({ passed, runs, low, high }: EvalResult): string {
  return `${passed} of ${runs} runs (${toPercent(low)} to ${toPercent(high)})`
}

function toPercent(share: number): string {
  return `${Math.round(share * 100)} %`
}

function toUse({ usage: { inputTokens, outputTokens, cost } }: Pick<EvalResult, 'usage'>): string {
  const tokens = `${inputTokens + outputTokens} tokens`
  return cost > 0 ? `${tokens}, cost ${Number(cost.toPrecision(3))}` : tokens
}

/** The end of the list: counts, and for several models a line for each. */
export function showSummary(
  screen: Screen,
  {
    results,
    atLeast,
    isEnough,
  }: {
    results: readonly EvalResult[]
    atLeast: number
    isEnough: boolean
  },
): void {
  if (results.length === 0) return
  for (const model of new Set(results.map((result) => result.model))) {
    const own = results.filter((result) => result.model === model)
    const runs = own.reduce((sum, result) => sum + result.runs, 0)
    const passed = own.reduce((sum, result) => sum + result.passed, 0)
    const cost = own.reduce((sum, { usage }) => sum + usage.cost, 0)
    const tokens = own.reduce((sum, { usage }) => sum + usage.inputTokens + usage.outputTokens, 0)
    const use = toUse({ usage: { ...noTokens, inputTokens: tokens, cost } })
    screen.out(
      `${toSafeLine(model || 'no model')}: ${passed} of ${counted(runs, 'run')} passed, ${use}`,
    )
  }
  const count = (status: EvalResult['status']) =>
    results.filter((result) => result.status === status).length
  const mark = isEnough ? screen.style('green', '✓') : screen.style('red', '✗')
  const least = atLeast < 1 ? `; at least ${toPercent(atLeast)} must pass` : ''
  const parts = `${count('passed')} passed, ${count('scored')} scored, ${count('failed')} failed`
  screen.out(`${mark} ${counted(results.length, 'eval')}: ${parts}${least}`)
}

/** Hints at descriptions that a model may not tell apart. */
export function showSimilar(screen: Screen, reports: readonly EvalReport[]): void {
  const similar = new Map(
    reports.flatMap((report) => report.similar).map(({ tool, to }) => [tool, to]),
  )
  for (const [tool, to] of similar) {
    const others = to.map(toSafeLine).join(', ')
    screen.out(`${toSafeLine(tool)} is described like ${others}: state when to use which.`)
  }
}

const noTokens = { modelCalls: 0, inputTokens: 0, outputTokens: 0, cachedTokens: 0, cost: 0 }

/** A case fails where it passes less often than it should. */
export function toSuite({ name, results }: EvalReport, atLeast: number): JunitSuite {
  const cases = results.map(({ label, agent, model, rate, outcomes }) => {
    const problems = groupProblems(outcomes).map(({ problem, count, calls }) => {
      const often = outcomes.length > 1 ? `${count} of ${outcomes.length} runs: ` : ''
      return `${often}${problem}${calls === '' ? '' : ` (${calls})`}`
    })
    const as = agent === undefined ? model : `${agent}, ${model}`
    return {
      name: `${label} (${as})`,
      durationMs: outcomes.reduce((sum, { durationMs }) => sum + durationMs, 0),
      problems: rate < atLeast ? problems : [],
    }
  })
  return { name, cases }
}
