import type { TestReport, TestResult } from '../../../../core/trials/run-tests.ts'

/** The results of tests as JUnit XML, which CI servers read. */
export function toJunit(reports: readonly TestReport[]): string {
  const count = (key: 'passed' | 'failed') => reports.reduce((sum, report) => sum + report[key], 0)
  const failures = count('failed')
  const head = `<testsuites name="toolcrib" tests="${count('passed') + failures}" failures="${failures}">`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    head,
    ...reports.map(toSuite),
    '</testsuites>',
    '',
  ]
    .flat()
    .join('\n')
}

function toSuite({ tool, passed, failed, results }: TestReport): string {
  const seconds = results.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000
  const facts = `tests="${passed + failed}" failures="${failed}" time="${seconds.toFixed(3)}"`
  const cases = results.map((result) => toCase(tool, result))
  return [`  <testsuite name="${escape(tool)}" ${facts}>`, ...cases, '  </testsuite>'].join('\n')
}

function toCase(tool: string, { label, durationMs, problems }: TestResult): string {
  const time = (durationMs / 1000).toFixed(3)
  const head = `    <testcase classname="${escape(tool)}" name="${escape(label)}" time="${time}"`
  if (problems.length === 0) return `${head}/>`
  const lines = problems.map(({ path, message }) => `${path} ${message}`)
  const failure = `<failure message="${escape(lines[0] ?? '')}">${escape(lines.join('\n'))}</failure>`
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
