import type { TestReport, TestResult } from '../../../../core/trials/run-tests.ts'
import type { Command, CommandContext } from '../../command.ts'
import { exit } from '../../exit-codes.ts'
import { counted } from '../../output/counted.ts'
import { toSafeLine } from '../../output/safe-text.ts'
import type { Screen } from '../../output/screen.ts'
import type { JunitSuite } from '../../output/to-junit.ts'
import { writeJunit } from './write-junit.ts'

/** `toolcrib test`: runs the tests in the definitions of tools. */
export const testCommand: Command = {
  summary: "Run the tests in the tools' definitions.",
  usage: ['test [PATTERN] [--junit FILE]'],
  options: {
    agent: { type: 'string', value: 'AGENT', summary: 'run them as this agent' },
    junit: { type: 'string', value: 'FILE', summary: 'also write the results as JUnit XML' },
  },
  maxWords: 1,
  reads: true,
  firstWord: 'tools',
  notes: [
    'Calls that a tool makes have no effect: they are answered by the outputs that a test gives, or refused.',
    'The exit code is 1 when a test fails.',
  ],
  examples: ['toolcrib test', "toolcrib test 'billing.*' --junit reports/tools.xml"],
  async run(context) {
    const { screen } = context
    const reports = await runAll(context)
    const junit = context.options.text('junit')
    if (junit !== undefined) await writeJunit(context.environment, junit, reports.map(toSuite))
    const counts = {
      passed: reports.reduce((sum, { passed }) => sum + passed, 0),
      failed: reports.reduce((sum, { failed }) => sum + failed, 0),
    }
    if (screen.isJson) screen.json({ ...counts, reports })
    else showCounts(screen, counts, reports.length)
    return counts.failed > 0 ? exit.failed : exit.ok
  },
}

async function runAll({ connect, words, options, screen }: CommandContext): Promise<TestReport[]> {
  const { client } = await connect()
  const agent = options.text('agent')
  const query = { pattern: words[0], agent }
  const { items } = await client.read<{ items: { tool: string }[] }>('/tool-tests', { query })
  const reports: TestReport[] = []
  for (const { tool } of items) {
    const path = `/tools/${encodeURIComponent(tool)}/tests/run`
    const report = await client.read<TestReport>(path, { method: 'POST', body: { agent } })
    reports.push(report)
    if (!screen.isJson) showReport(screen, report)
  }
  return reports
}

function showReport(screen: Screen, { tool, results }: TestReport): void {
  screen.out(screen.style('bold', toSafeLine(tool)))
  for (const result of results) showResult(screen, result)
}

function showResult(screen: Screen, { label, status, durationMs, problems }: TestResult): void {
  const mark = status === 'passed' ? screen.style('green', '✓') : screen.style('red', '✗')
  const time = screen.style('dim', `${Math.round(durationMs)} ms`)
  screen.out(`  ${mark} ${toSafeLine(label)} ${time}`)
  for (const { path, message } of problems) {
    screen.out(`    ${screen.style('cyan', toSafeLine(path))} ${toSafeLine(message)}`)
  }
}

function showCounts(
  screen: Screen,
  { passed, failed }: { passed: number; failed: number },
  tools: number,
): void {
  if (passed + failed === 0) {
    screen.err('No tool has tests. Add tests: [{ label, input, expect }] to a definition.')
    return
  }
  const mark = failed > 0 ? screen.style('red', '✗') : screen.style('green', '✓')
  const count = `${counted(passed + failed, 'test')} of ${counted(tools, 'tool')}`
  screen.out(`${mark} ${count}: ${passed} passed, ${failed} failed`)
}

function toSuite({ tool, results }: TestReport): JunitSuite {
  const cases = results.map(({ label, durationMs, problems }) => ({
    name: label,
    durationMs,
    problems: problems.map(({ path, message }) => `${path} ${message}`),
  }))
  return { name: tool, cases }
}
