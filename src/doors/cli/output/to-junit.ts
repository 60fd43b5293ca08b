/** Cases of one tool or agent, for a report as JUnit XML. */
export interface JunitSuite {
  name: string
  cases: readonly JunitCase[]
}

export interface JunitCase {
  name: string
  durationMs: number
  /** Why it failed; empty if it passed. */
  problems: readonly string[]
}

/** Results as JUnit XML, which CI servers read. */
export function toJunit(suites: readonly JunitSuite[]): string {
  const cases = suites.flatMap((suite) => suite.cases)
  const head = `<testsuites name="toolcrib" ${toCounts(cases)}>`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    head,
    ...suites.map(toSuite),
    '</testsuites>',
    '',
  ].join('\n')
}

function toCounts(cases: readonly JunitCase[]): string {
  const failures = cases.filter(({ problems }) => problems.length > 0).length
  return `tests="${cases.length}" failures="${failures}"`
}

function toSuite({ name, cases }: JunitSuite): string {
  const seconds = cases.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000
  const head = `  <testsuite name="${escape(name)}" ${toCounts(cases)} time="${seconds.toFixed(3)}">`
  return [head, ...cases.map((one) => toCase(name, one)), '  </testsuite>'].join('\n')
}

function toCase(suite: string, { name, durationMs, problems }: JunitCase): string {
  const time = (durationMs / 1000).toFixed(3)
  const head = `    <testcase classname="${escape(suite)}" name="${escape(name)}" time="${time}"`
  if (problems.length === 0) return `${head}/>`
  const failure = `<failure message="${escape(problems[0] ?? '')}">${escape(problems.join('\n'))}</failure>`
  return `${head}>\n      ${failure}\n    </testcase>`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
}

/** XML has no way to write other control characters. */
function escape(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[&<>"\n]/g, (character) => entities[character] ?? '')
    .replaceAll(/[\p{Cc}\uFFFE\uFFFF]/gu, '\uFFFD')
}
